import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { type Failure, failureMessage } from '../graphql/failure.ts';
import classes from './failure-note.module.css';

/** The error of a form, shown above its fields. */
export function FailureNote({ failure }: { failure: Failure | undefined }) {
  if (!failure) return null;
  return (
    <Alert
      role="alert"
      color="red"
      icon={<IconAlertCircle size={18} />}
      classNames={{ root: classes.note!, message: classes.words! }}
    >
      {failureMessage(failure)}
    </Alert>
  );
}
