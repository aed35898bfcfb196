import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './restored-draft.module.css';

interface RestoredDraftProps {
  /** Whether the form shows a restored draft. */
  shown: boolean;
  onDiscard: () => void;
  /** More about the draft. */
  children?: ReactNode;
}

/** Tells that a form is filled with input from before a reload or a new sign-in. */
export function RestoredDraft({ shown, onDiscard, children }: RestoredDraftProps) {
  if (!shown) return null;
  return (
    <div className={classes.note} role="status">
      <IconHistory size={16} aria-hidden="true" />
      <span className={classes.words}>Restored your draft. {children}</span>
      <Button size="compact-xs" variant="subtle" onClick={onDiscard}>
        Discard
      </Button>
    </div>
  );
}
