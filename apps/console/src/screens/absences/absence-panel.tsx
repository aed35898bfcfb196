import type { ReactNode } from 'react';
import { useAction } from '../../graphql/use-action.ts';
import type { Read } from '../../graphql/use-read.ts';
import type { State } from '../../text/labels.ts';
import { TablePanel } from '../../ui/loaded-table.tsx';
import { stateColumn } from '../../ui/state-pill.tsx';
import { Empty } from '../../ui/states.tsx';
import { MinuteTime } from '../../ui/time.tsx';
import { type Absence, type AbsenceState, EndAbsence, stateOfAbsence } from './absences.ts';

const states: Record<AbsenceState, State> = {
  planned: ['Planned', 'warn'],
  current: ['In force', 'good'],
  over: ['Ended', 'quiet'],
};

interface AbsencePanelProps {
  hint: string;
  actions?: ReactNode;
  of: Read<{ open: Absence[]; over: Absence[] }>;
  who: (absence: Absence) => ReactNode;
  mayEnd: (absence: Absence) => boolean;
}

/** Absences with the delegate, the reason and the period. */
export function AbsencePanel({ hint, actions, of, who, mayEnd }: AbsencePanelProps) {
  const end = useAction(EndAbsence, { done: 'The absence has ended.' });
  return (
    <TablePanel
      title="Absences"
      hint={hint}
      actions={actions}
      of={of}
      rows={of.data && [...of.data.open, ...of.data.over]}
      lines={2}
      empty={<Empty small title="No absences" />}
      columns={[
        {
          name: 'Delegate',
          cell: (absence) => (
            <>
              <strong>{who(absence)}</strong>
              <br />
              {absence.reason}
            </>
          ),
        },
        { name: 'From', cell: ({ from }) => <MinuteTime at={from} /> },
        { name: 'Until', cell: ({ until, endedAt }) => <MinuteTime at={endedAt ?? until} /> },
        stateColumn<Absence>('Status', (absence) => states[stateOfAbsence(absence)]),
        {
          name: 'End',
          unnamed: true,
          right: true,
          button: {
            isShown: (absence) => mayEnd(absence) && stateOfAbsence(absence) !== 'over',
            about: ({ delegate }) => `the delegation to ${delegate.name}`,
            onClick: ({ id }) => void end.run({ id }).then(of.reload),
          },
        },
      ]}
    />
  );
}
