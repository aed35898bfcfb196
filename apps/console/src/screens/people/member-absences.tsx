import { useMemo } from 'react';
import { useRead } from '../../graphql/use-read.ts';
import { Pill } from '../../ui/pill.tsx';
import { useTimes } from '../../ui/zone.tsx';
import { AbsencePanel } from '../absences/absence-panel.tsx';
import { Absences, CurrentAbsences, stateOfAbsence } from '../absences/absences.ts';

/** The absences of one member. An administrator can end them; only the member can record one. */
export function MemberAbsences({ membershipId }: { membershipId: string }) {
  const read = useRead(Absences, { delegatorId: membershipId });
  return (
    <AbsencePanel
      hint="Members record their absences in their account, with the delegate who approves for them."
      who={({ delegate }) => delegate.name}
      mayEnd={() => true}
      of={read}
    />
  );
}

/** The end of the absence and the name of the delegate, by the membership of who is away. */
export type Away = ReadonlyMap<string, { until: string; delegate: string }>;

/** The members who are away now. */
export function useAway(): Away {
  const { data } = useRead(CurrentAbsences, {});
  return useMemo(() => {
    const current = (data?.delegations ?? []).filter((absence) => stateOfAbsence(absence) === 'current');
    return new Map(
      current.map(({ delegator, delegate, until }) => [delegator.id, { until, delegate: delegate.name }]),
    );
  }, [data]);
}

/** Marks a member who is away. */
export function AwayPill({ until, delegate }: { until: string; delegate: string }) {
  const { onDay } = useTimes();
  return (
    <span title={`Delegate: ${delegate}`}>
      <Pill tone="warn">Away until {onDay(until)}</Pill>
    </span>
  );
}
