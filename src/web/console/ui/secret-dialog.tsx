import { Button, CopyButton, Modal, Stack } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import classes from './secret-dialog.module.css';

interface SecretDialogProps {
  title: string;
  /** Shown while there is one; it lives only in this page's memory. */
  value: string | null;
  hint: string;
  onClose: () => void;
}

/** A secret that is shown this once. It closes only by saying so. */
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
