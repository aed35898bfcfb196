import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** The absences of the caller; for an administrator, those of the whole center. */
export const Absences = graphql(`
  query Absences {
    delegations { id from until reason endedAt delegator { id actorId name } delegate { id actorId name } }
  }
`);
export const EndAbsence = graphql(`
  mutation EndAbsence($id: ID!) { endDelegation(id: $id) { id endedAt } }
`);

export type Absence = ResultOf<typeof Absences>['delegations'][number];

export type AbsenceState = 'planned' | 'current' | 'over';

export function stateOfAbsence({ from, until, endedAt }: Absence, now = Date.now()): AbsenceState {
  if (endedAt !== null || Date.parse(until) <= now) return 'over';
  return Date.parse(from) > now ? 'planned' : 'current';
}
