import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents, useDecisionChanges } from '../../session/live-center.tsx';
import { hasFeature, useIsStaff, useSession } from '../../session/session-context.ts';
import { useRefresh } from '../../ui/use-refresh.ts';

const WaitingForMe = graphql(`
  query WaitingForMe($questions: Boolean!) {
    approvalsForMe(first: 1) { totalCount }
    workflowQuestions(first: 1) @include(if: $questions) { totalCount }
  }
`);

/** From this number on, requests are not counted further. */
const MAX_COUNTED = 100;

interface Waiting {
  requests: number;
  questions: number;
  /** Such as `3` or `99+`. */
  label: string;
}

/** The number of requests and questions that the user can decide now: those that *Approvals* lists. */
export function useWaiting({ pause = false }: { pause?: boolean } = {}): Waiting {
  const session = useSession();
  const isStaff = useIsStaff();
  const read = useRead(
    WaitingForMe,
    { questions: isStaff && hasFeature(session, 'workflows') },
    { pause: pause || session.me.centerId === null },
  );
  useDecisionChanges(read.reload);
  useAuditEvents('workflow.executed', read.reload);
  // Instructors have no stream of questions.
  useRefresh(() => !pause && session.me.role === 'INSTRUCTOR' && void read.reload());
  const requests = read.data?.approvalsForMe.totalCount ?? 0;
  const questions = read.data?.workflowQuestions?.totalCount ?? 0;
  return { requests, questions, label: waitingLabel(requests + questions) };
}

export const waitingLabel = (total: number) => (total >= MAX_COUNTED ? '99+' : String(total));
