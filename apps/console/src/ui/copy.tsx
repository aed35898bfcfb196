import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import classes from './copy.module.css';

/** A value that people copy: ids, hashes, addresses. */
export function Copyable({
  value,
  shown,
  label = 'Copy',
}: {
  value: string;
  shown?: string;
  label?: string;
}) {
  return (
    <span className={classes.copyable}>
      <span className="mono" title={value}>
        {shown ?? value}
      </span>
      <CopyIcon value={value} label={label} />
    </span>
  );
}

export function CopyIcon({ value, label = 'Copy' }: { value: string; label?: string }) {
  return (
    <CopyButton value={value} timeout={1_500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : label}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            onClick={copy}
            aria-label={copied ? 'Copied' : label}
          >
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** Enough of a hash to distinguish it from others. */
export const shortHash = (hash: string) =>
  hash.length > 20 ? `${hash.slice(0, 10)}…${hash.slice(-6)}` : hash;
