import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAction } from '../../graphql/use-action.ts';
import { Pill } from '../../ui/pill.tsx';
import { Table } from '../../ui/table.tsx';
import { MinuteTime } from '../../ui/time.tsx';
import { type Absence, type AbsenceState, EndAbsence, stateOfAbsence } from './absences.ts';

interface AbsenceTableProps {
  absences: Absence[];
  who: (absence: Absence) => ReactNode;
  mayEnd: (absence: Absence) => boolean;
  onChanged: () => void;
}

/** Absences with the delegate, the reason and the period. */
export function AbsenceTable({ absences, who, mayEnd, onChanged }: AbsenceTableProps) {
  const end = useAction(EndAbsence, { done: 'The absence has ended.' });
  return (
    <Table
      label="Absences"
      keyOf={({ id }) => id}
      rows={absences}
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
              <Button
                size="compact-xs"
                variant="subtle"
                color="red"
                onClick={() => void end.run({ id: absence.id }).then(onChanged)}
              >
                End
                <span className="visually-hidden"> the delegation to {absence.delegate.name}</span>
              </Button>
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
