import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents, useDecisionChanges } from '../../session/live-center.tsx';
import { hasFeature, useCenter, useSession } from '../../session/session-context.ts';
import { count } from '../../text/labels.ts';
import { TilesSkeleton } from '../../ui/skeletons.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Tile, Tiles } from '../../ui/tiles.tsx';
import { waitingLabel } from '../approvals/use-waiting.ts';

const SummaryCounts = graphql(`
  query SummaryCounts($workflows: Boolean!) {
    waiting: approvalsForMe(first: 1) { totalCount }
    questions: workflowQuestions(first: 1) @include(if: $workflows) { totalCount }
    sealed: decisionEvents(first: 1, filter: { status: sealed }) { totalCount }
    pending: members(first: 1, filter: { status: PENDING }) { totalCount }
  }
`);

/** Pending approvals and members, and the number of sealed decisions. */
export function SummaryTiles() {
  const { centerDomain } = useCenter();
  const workflows = hasFeature(useSession(), 'workflows');
  const read = useRead(SummaryCounts, { workflows });
  useDecisionChanges(read.reload);
  useAuditEvents('any', read.reload);
  const at = `/c/${centerDomain}`;
  return (
    <Loaded of={read} skeleton={<TilesSkeleton count={3} />}>
      {({ waiting, questions, sealed, pending }) => {
        const total = waiting.totalCount + (questions?.totalCount ?? 0);
        return (
          <Tiles>
            <Tile
              to={`${at}/approvals`}
              label="Waiting for approval"
              value={waitingLabel(total)}
              hint={waitingHint(total, questions?.totalCount ?? 0)}
              tone={total ? 'warn' : undefined}
            />
            <Tile
              to={`${at}/people?status=PENDING`}
              label="People to approve"
              value={pending.totalCount.toLocaleString()}
              hint={pending.totalCount ? 'Accepted and waiting for approval' : 'No one is waiting'}
              tone={pending.totalCount ? 'warn' : undefined}
            />
            <Tile
              to={`${at}/decisions?status=sealed`}
              label="Sealed decisions"
              value={sealed.totalCount.toLocaleString()}
              hint="Each can be verified"
            />
          </Tiles>
        );
      }}
    </Loaded>
  );
}

function waitingHint(total: number, questions: number): string {
  if (total === 0) return 'All decided';
  return questions > 0 ? `Including ${count(questions, 'question')} from workflows` : 'Review now';
}
