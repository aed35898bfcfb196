import { printable } from '@countersign/proof-kit/printable';
import { MultiSelect } from '@mantine/core';
import { auditSummary } from '../text/audit.ts';
import { auditChoices, auditTitle } from '../text/audit-titles.ts';
import type { Column } from './table.tsx';
import { Ago } from './time.tsx';
import { useTimes } from './zone.tsx';

/** Columns that every audit log has: who, from where, and when. */
interface Done {
  actorEmail: string | null;
  /** If the reader may see it. */
  actorName?: string | null;
  actorId: string | null;
  ip: string | null;
  occurredAt: string;
}

/** A person or key by name; for others the address, or that it was the service itself. */
export function nameOfActor({ actorName, actorEmail, actorId }: Omit<Done, 'ip' | 'occurredAt'>): string {
  if (actorName) return printable(actorName);
  if (actorEmail) return printable(actorEmail);
  const isOutside = actorId && /^(?:[0-9a-f]{8}-|key_)/.test(actorId);
  return isOutside ? 'Someone outside the center' : 'The service';
}

type Entry = Parameters<typeof auditSummary>[0];

/** What was done, with times in the reader's zone. */
function What({ entry }: { entry: Entry }) {
  const times = useTimes();
  return (
    <>
      <strong>{auditTitle(entry)}</strong>
      <span className="subline">{auditSummary(entry, { times })}</span>
    </>
  );
}

export const who: Column<Done> = {
  name: 'Who',
  text: nameOfActor,
  cell: (done) => <span className="who">{nameOfActor(done)}</span>,
};

export const fromWhere: Column<Done> = {
  name: 'From',
  wideOnly: true,
  text: ({ ip }) => ip,
  cell: ({ ip }) => (
    <span className="mono" data-address>
      {ip ?? ''}
    </span>
  ),
};

export const when: Column<Done> = {
  name: 'When',
  right: true,
  text: ({ occurredAt }) => occurredAt,
  cell: ({ occurredAt }) => <Ago at={occurredAt} />,
};

/** The columns of a log of many centers. Entries without a center are about the given place. */
export const auditColumns = (place: string): Column<Done & Entry & { center: { name: string } | null }>[] => [
  {
    name: 'What',
    text: (entry) => `${auditTitle(entry)}: ${auditSummary(entry, { whole: true })}`,
    cell: (entry) => <What entry={entry} />,
  },
  { name: 'Where', cell: ({ center }) => center?.name ?? place },
  who,
  fromWhere,
  when,
];

interface AuditKindsProps {
  of: { shown: { types?: string }; narrow(changes: { types: string | undefined }): void };
}

/** Filters a log by kinds of entries. */
export function AuditKinds({ of: { shown, narrow } }: AuditKindsProps) {
  const { types } = shown;
  return (
    <MultiSelect
      aria-label="Kinds"
      placeholder={types ? '' : 'Any kind'}
      clearable
      data={auditChoices}
      value={types?.split(',') ?? []}
      onChange={(value) => narrow({ types: value.join(',') || undefined })}
    />
  );
}
