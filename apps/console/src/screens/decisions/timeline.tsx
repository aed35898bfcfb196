import { IconCheck, IconEraser, IconLock, IconPencil, IconX } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import type { Json } from '../../graphql/graphql.ts';
import { actorKinds, erasable, nameOf } from '../../text/labels.ts';
import { TextLink } from '../../ui/link.tsx';
import { Countdown } from '../../ui/time.tsx';
import classes from '../../ui/timeline.module.css';
import { type Moment, Timeline } from '../../ui/timeline.tsx';
import type { Decision } from './one-decision.ts';

/** The history of a decision. */
export const DecisionTimeline = ({ decision }: { decision: Decision }) => (
  <Timeline of={momentsOf(decision)} />
);

const waysKnown: Record<string, string> = {
  passkey: ', signed with a passkey',
  session: ', signed in',
  api_key: ', asserted by an API key',
};

const kindOf = (by: Json) => String((by as { kind?: string } | null)?.kind ?? '');

function momentsOf(decision: Decision): Moment[] {
  const { actor, approvals, status } = decision;
  const moments: Moment[] = [
    {
      key: 'recorded',
      tone: 'done',
      icon: <IconPencil size={14} />,
      title: (
        <>
          Recorded by <strong>{nameOf(actor)}</strong> ({actorKinds[actor.type]})
        </>
      ),
      at: decision.createdAt,
      text: <OnJournal decision={decision} kind="recorded" />,
    },
    ...approvals.map(
      ({ id, approver, result, reason, by, createdAt }): Moment => ({
        key: id,
        tone: result === 'approved' ? 'good' : 'bad',
        icon: result === 'approved' ? <IconCheck size={14} /> : <IconX size={14} />,
        title: (
          <>
            {result === 'approved' ? 'Approved' : 'Rejected'} by <strong>{nameOf(approver)}</strong>
            {approver.type === 'system' ? ' (system)' : waysKnown[kindOf(by)]}
          </>
        ),
        at: createdAt,
        text: (
          <>
            {reason && <q>{reason}</q>}
            {result === 'rejected' && <OnJournal decision={decision} kind="rejected" />}
          </>
        ),
      }),
    ),
  ];
  if (status === 'sealed') {
    moments.push({
      key: 'sealed',
      tone: 'good',
      icon: <IconLock size={14} />,
      title: <>Sealed as record {decision.evidence.chainIndex?.toLocaleString()} of the proof chain</>,
      at: decision.updatedAt,
    });
    if (decision.outcome) {
      const worked = decision.outcome.status === 'executed';
      moments.push({
        key: 'outcome',
        tone: worked ? 'good' : 'bad',
        icon: worked ? <IconCheck size={14} /> : <IconX size={14} />,
        title: worked ? 'Executed as approved' : 'Execution failed',
        at: decision.outcome.recordedAt,
        text: <OnJournal decision={decision} kind="outcome" />,
      });
    }
  } else if (status !== 'rejected') {
    moments.push({
      key: 'open',
      tone: 'open',
      icon: <IconLock size={14} />,
      title: status === 'approved' ? 'Waiting for further approvals' : 'Waiting for approval',
      at: null,
      text: decision.expiresAt && (
        <>
          Expires in <Countdown until={decision.expiresAt} />
        </>
      ),
    });
  }
  for (const [at, members] of erasuresOf(decision)) {
    moments.push({
      key: `erased ${at}`,
      tone: 'done',
      icon: <IconEraser size={14} />,
      title: `Erased: ${members.map(({ path }) => memberLabel(path)).join(', ')}`,
      at,
      text: (
        <>
          <q>{members[0]!.reason}</q>
          <OnJournal decision={decision} kind="erased" />
        </>
      ),
    });
  }
  return moments;
}

/** Values that were erased at the same time form one entry. */
function erasuresOf({ erased }: Decision): [string, Decision['erased']][] {
  const together = new Map<string, Decision['erased']>();
  for (const member of erased) together.set(member.at, [...(together.get(member.at) ?? []), member]);
  return [...together];
}

const memberLabel = (path: string) =>
  (erasable.find(([known]) => known === path)?.[1] ?? path).replace(/^[A-Z](?=[a-z])/, (letter) =>
    letter.toLowerCase(),
  );

/** The position in the journal, which only grows. */
function OnJournal({ decision: { journal }, kind }: { decision: Decision; kind: string }) {
  const { center } = useParams({ from: '/inside/c/$center/decisions/$id' });
  const entry = journal.find((each) => each.kind === kind);
  if (!entry) return null;
  return (
    <p className={classes.at}>
      <TextLink
        to="/c/$center/ledger/$domain"
        params={{ center, domain: 'journal' }}
        search={{ at: String(entry.index) }}
      >
        Record {entry.index.toLocaleString()} of the journal
      </TextLink>
    </p>
  );
}
