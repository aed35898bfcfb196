import type { ReactNode } from 'react';
import { useAction } from '../../graphql/use-action.ts';
import type { Read } from '../../graphql/use-read.ts';
import { LoadedTable } from '../../ui/loaded-table.tsx';
import { Pill } from '../../ui/pill.tsx';
import { RowButton } from '../../ui/row-button.tsx';
import { Empty } from '../../ui/states.tsx';
import { MinuteTime } from '../../ui/time.tsx';
import { type Absence, type AbsenceState, EndAbsence, stateOfAbsence } from './absences.ts';

interface AbsenceTableProps {
  of: Read<{ delegations: Absence[] }>;
  isShown: (absence: Absence) => boolean;
  who: (absence: Absence) => ReactNode;
  mayEnd: (absence: Absence) => boolean;
}

/** Absences with the delegate, the reason and the period. */
export function AbsenceTable({ of, isShown, who, mayEnd }: AbsenceTableProps) {
  const end = useAction(EndAbsence, { done: 'The absence has ended.' });
  return (
    <LoadedTable
      of={of}
      rows={({ delegations }) => delegations.filter(isShown)}
      lines={2}
      empty={<Empty small title="No absences" />}
      label="Absences"
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
        { name: 'Status', cell: (absence) => <AbsencePill state={stateOfAbsence(absence)} /> },
        {
          name: 'End',
          unnamed: true,
          right: true,
          cell: (absence) =>
            mayEnd(absence) &&
            stateOfAbsence(absence) !== 'over' && (
              <RowButton
                verb="End"
                about={`the delegation to ${absence.delegate.name}`}
                onClick={() => void end.run({ id: absence.id }).then(of.reload)}
              />
            ),
        },
      ]}
    />
  );
}

function AbsencePill({ state }: { state: AbsenceState }) {
  if (state === 'over') return <Pill>Ended</Pill>;
  return state === 'current' ? <Pill tone="good">In force</Pill> : <Pill tone="warn">Planned</Pill>;
}
