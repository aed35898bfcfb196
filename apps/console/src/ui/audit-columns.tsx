import { auditSummary, auditTitle } from '../text/audit.ts';
import classes from './audit-columns.module.css';
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
  if (actorName) return actorName;
  if (actorEmail) return actorEmail;
  const isOutside = actorId && /^(?:[0-9a-f]{8}-|key_)/.test(actorId);
  return isOutside ? 'Someone outside the center' : 'The service';
}

type Entry = Parameters<typeof auditTitle>[0];

/** What was done, as one line of a file. */
export const whatText = (entry: Entry) => `${auditTitle(entry)}: ${auditSummary(entry.detail)}`;

/** What was done, with times in the reader's zone. */
export function What({ type, detail }: Entry) {
  const times = useTimes();
  return (
    <>
      <strong>{auditTitle({ type, detail })}</strong>
      <span className={classes.summary}>{auditSummary(detail, { times })}</span>
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
