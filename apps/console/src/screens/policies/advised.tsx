import { printable } from '@countersign/proof-kit/printable';
import { Box } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './advised.module.css';
import type { PolicyDraft } from './policy-draft.ts';
import type { Advice, Warning } from './use-advice.ts';

/** What the fields of the form share. */
export interface Bench {
  draft: PolicyDraft;
  change: (changes: Partial<PolicyDraft>) => void;
  advice: Advice;
}

interface AdvisedProps {
  /** The members of the input that the field is about. */
  paths: readonly string[];
  advice: Advice;
  children: ReactNode;
}

/** A field with its warnings below it. */
export function Advised({ paths, advice, children }: AdvisedProps) {
  return (
    <Box className={classes.field} onBlur={() => paths.forEach(advice.onLeave)}>
      {children}
      <Warnings of={paths.flatMap(advice.warnings)} />
    </Box>
  );
}

const icons = { warning: <IconAlertTriangle size={15} />, hint: <IconInfoCircle size={15} /> };

export function Warnings({ of: warnings }: { of: readonly Warning[] }) {
  if (warnings.length === 0) return null;
  return (
    <ul className={classes.warnings}>
      {warnings.map(({ path, level, message }) => (
        <li key={path + message} data-level={level}>
          <span className={classes.icon} aria-hidden="true">
            {icons[level]}
          </span>
          {printable(message)}
        </li>
      ))}
    </ul>
  );
}
