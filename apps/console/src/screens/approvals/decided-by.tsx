import { printable } from '@countersign/proof-kit/printable';
import { IconChecklist } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { isMissing } from '../../graphql/failure.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useDecisionChanges } from '../../session/live-center.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty, Lines, Problem } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import classes from './approvals.module.css';

const WhoDecided = graphql(`
  query WhoDecided($eventId: ID!) {
    decisionResult(eventId: $eventId) {
      eventId
      status
      readable
      decisions { name result at cause isMine }
    }
  }
`);

type Result = ResultOf<typeof WhoDecided>['decisionResult'];
type Made = Result['decisions'][number];

interface Props {
  id: string;
  /** The request itself, for people who may read it. */
  children: ReactNode;
}

/**
 * A request that does not wait for the user: who decided it, when, and how. A mail may have led here after another person was
 * faster.
 */
export function DecidedBy({ id, children }: Props) {
  const read = useRead(WhoDecided, { eventId: id });
  useDecisionChanges(read.reload);
  const result = read.data?.decisionResult;
  if (read.failure && !result) {
    return isMissing(read.failure) ? (
      <Empty title="Request not found">It may belong to another center, or it was never for you.</Empty>
    ) : (
      <Problem failure={read.failure} retry={read.reload} />
    );
  }
  if (!result) return <Lines />;
  const others = result.decisions.filter(({ isMine }) => !isMine);
  return (
    <>
      {others.length > 0 && <Decisions result={result} made={others} />}
      {result.readable
        ? children
        : others.length === 0 && (
            <Empty icon={<IconChecklist />} title="This request does not wait for you">
              Other people have to decide it.
            </Empty>
          )}
    </>
  );
}

const causes: Record<string, string> = {
  expired: 'No one decided this request in time. It expired',
  withdrawn: 'The requester withdrew this request',
  erased: 'This request was rejected because its content was erased',
};

function Decisions({ result: { status }, made }: { result: Result; made: Made[] }) {
  const isOpen = status === 'recorded' || status === 'approved';
  return (
    <div className={classes.outcome}>
      <Panel title={isOpen ? 'Decided in part' : 'Already decided'}>
        <div role="status">
          {made.map((each) => (
            <p key={each.at}>
              <WhoAndHow made={each} /> <Ago at={each.at} />.
            </p>
          ))}
          {isOpen && <p>It waits for further approvals.</p>}
        </div>
      </Panel>
    </div>
  );
}

function WhoAndHow({ made: { name, result, cause } }: { made: Made }) {
  if (cause !== null) return causes[cause] ?? 'The service rejected this request';
  return (
    <>
      <strong>{name ? printable(name) : 'A person whose name is not shown'}</strong> {result} this request
    </>
  );
}
