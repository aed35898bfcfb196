import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** Absences, open ones first, so that no number of ended ones hides them. */
export const Absences = graphql(`
  query Absences($own: Boolean, $delegatorId: ID) {
    open: delegations(open: true, own: $own, delegatorId: $delegatorId) {
      id from until reason endedAt delegator { id actorId name } delegate { id actorId name }
    }
    over: delegations(open: false, own: $own, delegatorId: $delegatorId) {
      id from until reason endedAt delegator { id actorId name } delegate { id actorId name }
    }
  }
`);
/** Who is away now or soon, for administrators. */
export const CurrentAbsences = graphql(`
  query CurrentAbsences {
    delegations(open: true) { from until endedAt delegator { id } delegate { name } }
  }
`);
export const EndAbsence = graphql(`
  mutation EndAbsence($id: ID!) { endDelegation(id: $id) { id endedAt } }
`);

export type Absence = ResultOf<typeof Absences>['open'][number];

export type AbsenceState = 'planned' | 'current' | 'over';

export function stateOfAbsence(
  { from, until, endedAt }: Pick<Absence, 'from' | 'until' | 'endedAt'>,
  now = Date.now(),
): AbsenceState {
  if (endedAt !== null || Date.parse(until) <= now) return 'over';
  return Date.parse(from) > now ? 'planned' : 'current';
}
