import { Button, CopyButton, Modal, Stack } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import classes from './secret-dialog.module.css';

interface SecretDialogProps {
  title: string;
  /** The secret, kept in memory while the dialog is open. */
  value: string | null;
  hint: string;
  onClose: () => void;
}

/** A secret that is shown only once. The user has to confirm before the dialog closes. */
export function SecretDialog({ title, value, hint, onClose }: SecretDialogProps) {
  return (
    <Modal
      opened={value !== null}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      size="lg"
    >
      <Stack>
        <p className={classes.hint}>{hint}</p>
        <code className={classes.secret} data-testid="secret">
          {value}
        </code>
        <CopyButton value={value ?? ''}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              onClick={copy}
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onClose}>I have stored it</Button>
      </Stack>
    </Modal>
  );
}
