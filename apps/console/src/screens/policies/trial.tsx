import { printable } from '@countersign/proof-kit/printable';
import { Button, Stack } from '@mantine/core';
import { IconTestPipe } from '@tabler/icons-react';
import { useState } from 'react';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useCenter, useSession } from '../../session/session-context.ts';
import { count } from '../../text/labels.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { RowLink } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { agoColumn } from '../../ui/time.tsx';
import { adviceInput, type PolicyDraft } from './policy-draft.ts';
import classes from './trial.module.css';

const TryPolicy = graphql(`
  query TryPolicy($input: PolicyDraftInput!) {
    tryPolicy(input: $input) {
      complete
      covered
      waitingBefore
      waiting
      changed
      changes { eventId actionType agent recordedAt before after needs }
    }
  }
`);

type Tried = ResultOf<typeof TryPolicy>['tryPolicy'];
type Row = Tried['changes'][number];

type Outcome = Row['before'];

const now: Record<Outcome, string> = {
  sealed: 'Sealed at once',
  awaiting_approval: 'Waits for an approval',
  refused: 'Refused',
};
const then: Record<Outcome, string> = {
  sealed: 'would be sealed at once',
  awaiting_approval: 'would wait for an approval',
  refused: 'would be refused',
};

const outcomeWords = ({ before, after }: Row) =>
  before === after ? `${now[before]}, then by others` : `${now[before]} now, ${then[after]}`;

/** What the draft would have changed for recent requests. Nothing is saved. */
export function Trial({ draft, id }: { draft: PolicyDraft; id: string | null }) {
  const { me } = useSession();
  const act = useAction(TryPolicy, { as: 'query', quiet: true });
  const [tried, setTried] = useState<{ of: string; result: Tried }>();
  const input = adviceInput(draft, id);
  const current = JSON.stringify(input);
  const run = async () => {
    const data = await act.run({ input });
    if (data) setTried({ of: current, result: data.tryPolicy });
  };
  if (me.role !== 'ADMIN') return null;
  return (
    <Panel
      title="Try it"
      hint="Evaluates the requests of the last 30 days with this policy. Nothing is saved."
      actions={
        <Button
          variant="default"
          leftSection={<IconTestPipe size={16} />}
          loading={act.busy}
          onClick={() => void run()}
        >
          Try it
        </Button>
      }
    >
      <Stack>
        <FailureNote failure={act.failure} />
        <div role="status">{tried && <Result of={tried.result} isOutdated={tried.of !== current} />}</div>
        {tried && tried.result.changes.length > 0 && <Changes of={tried.result} />}
      </Stack>
    </Panel>
  );
}

function Result({ of: result, isOutdated }: { of: Tried; isOutdated: boolean }) {
  const { covered, waiting, waitingBefore, changed, complete } = result;
  const before =
    waitingBefore === 1 ? '1 of them waits' : `${waitingBefore === 0 ? 'none' : waitingBefore} of them wait`;
  return (
    <>
      <p className={classes.result}>
        {covered === 0
          ? 'The policy covers no request of the last 30 days.'
          : `${waiting} of ${count(covered, 'request')} of the last 30 days would have waited.`}
      </p>
      {covered > 0 && (
        <p className={classes.more}>
          With the policies in force now, {before}.{' '}
          {changed === 0
            ? 'No request would have been settled in another way.'
            : `${changed} would have been settled in another way, or by other approvers.`}
        </p>
      )}
      {!complete && <p className={classes.more}>Only the newest 1,000 requests were looked at.</p>}
      {isOutdated && <p className={classes.outdated}>You changed the policy since. Try it again.</p>}
    </>
  );
}

function Changes({ of: { changes, changed } }: { of: Tried }) {
  const { centerDomain: center } = useCenter();
  const columns: Column<Row>[] = [
    {
      name: 'Request',
      text: ({ actionType }) => actionType,
      cell: ({ eventId, actionType, agent }) => (
        <>
          <RowLink href={`/c/${center}/decisions/${eventId}`}>{actionType}</RowLink>
          <span className="subline">{agent === null ? 'erased' : printable(agent)}</span>
        </>
      ),
    },
    { name: 'Outcome', cell: outcomeWords },
    { name: 'It would need', cell: ({ needs }) => needs.map(printable).join('. ') || 'Nothing' },
    agoColumn<Row>('Recorded', ({ recordedAt }) => recordedAt),
  ];
  return (
    <div>
      {changes.length < changed && <p className={classes.more}>The newest {changes.length} of these:</p>}
      <Table
        label="Requests that would change"
        keyOf={({ eventId }) => eventId}
        columns={columns}
        rows={[...changes]}
      />
    </div>
  );
}
