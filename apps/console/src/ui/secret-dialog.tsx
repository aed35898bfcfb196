import { Button, CopyButton, Modal, Stack } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './secret-dialog.module.css';

interface SecretDialogProps {
  title: string;
  /** The secret, kept in memory while the dialog is open. */
  value: string | null;
  hint: string;
  /** Other forms of the secret, such as a configuration that contains it. */
  children?: ReactNode;
  onClose: () => void;
}

/** A secret that is shown only once. The user has to confirm before the dialog closes. */
export function SecretDialog({ title, value, hint, onClose, children }: SecretDialogProps) {
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
        <CopySecret value={value ?? ''} label="Copy" />
        {children}
        <Button onClick={onClose}>I have stored it</Button>
      </Stack>
    </Modal>
  );
}

export function CopySecret({ value, label }: { value: string; label: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          onClick={copy}
          leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        >
          {copied ? 'Copied' : label}
        </Button>
      )}
    </CopyButton>
  );
}
