import { printable } from '@countersign/proof-kit/printable';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { Panel } from '../../ui/panel.tsx';
import { Warnings } from '../policies/advised.tsx';
import classes from './lifts.module.css';

const RequestedMandate = graphql(`
  query RequestedMandate($id: ID!) {
    decisionEvent(id: $id) { id mandateRequest { lifts approvalProblem } }
  }
`);

/** What a mandate replaces, in the sentences of the service. They contain names that people chose. */
export function Lifts({ of: sentences }: { of: readonly string[] }) {
  return (
    <ul className={classes.lifts}>
      {sentences.map((sentence) => (
        <li key={sentence}>{printable(sentence)}</li>
      ))}
    </ul>
  );
}

/** For the approver of a request: what the requested mandate would lift. Nothing for other requests. */
export function RequestedLifts({ eventId }: { eventId: string }) {
  const { data } = useRead(RequestedMandate, { id: eventId });
  const request = data?.decisionEvent.mandateRequest;
  if (!request) return null;
  return (
    <Panel title="What the mandate lifts" hint="By the policies that are in force now.">
      <Lifts of={request.lifts} />
      <Obstacle message={request.approvalProblem} />
    </Panel>
  );
}

/** Why a mandate or a request for one has no effect. */
export function Obstacle({ message }: { message: string | null | undefined }) {
  if (!message) return null;
  return <Warnings of={[{ path: '', level: 'warning', message }]} />;
}
