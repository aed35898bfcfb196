import type { Column } from './table.tsx';
import { Ago } from './time.tsx';

/** What every entry of an audit log tells beside what was done. */
interface Done {
  actorEmail: string | null;
  actorId: string | null;
  ip: string | null;
  occurredAt: string;
}

export const who: Column<Done> = {
  name: 'Who',
  cell: ({ actorEmail, actorId }) => actorEmail ?? actorId ?? 'The service',
};

export const fromWhere: Column<Done> = {
  name: 'From',
  wideOnly: true,
  cell: ({ ip }) => (
    <span className="mono" data-address>
      {ip ?? ''}
    </span>
  ),
};

export const when: Column<Done> = {
  name: 'When',
  right: true,
  cell: ({ occurredAt }) => <Ago at={occurredAt} />,
};
