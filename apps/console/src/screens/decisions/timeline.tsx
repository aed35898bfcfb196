import { approvalPoint } from '@countersign/proof-kit/card-approvals';
import { outcomePoint } from '@countersign/proof-kit/card-sections';
import { askedBy, type CardFacts, type CardPoint } from '@countersign/proof-kit/decision-card';
import { printable } from '@countersign/proof-kit/printable';
import {
  IconCheck,
  IconClock,
  IconEraser,
  IconLock,
  IconMinus,
  IconPencil,
  IconX,
} from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { recordNumber } from '../../text/chains.ts';
import { erasable } from '../../text/labels.ts';
import { Words } from '../../ui/decision-card/words.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Countdown } from '../../ui/time.tsx';
import classes from '../../ui/timeline.module.css';
import { type Moment, Timeline } from '../../ui/timeline.tsx';
import type { Decision } from './one-decision.ts';

/** The history of a decision. */
export const DecisionTimeline = ({ decision, facts }: { decision: Decision; facts: CardFacts }) => (
  <Timeline of={momentsOf(decision, facts)} />
);

const tones = { met: 'good', unmet: 'bad', open: 'open', note: 'done' } as const;
const icons = {
  met: <IconCheck size={14} />,
  unmet: <IconX size={14} />,
  open: <IconClock size={14} />,
  note: <IconMinus size={14} />,
};

/** A point of the card as a moment. What people wrote stands on the card. */
const momentOf = (key: string, { state, words, at }: CardPoint, text?: ReactNode): Moment => ({
  key,
  tone: tones[state],
  icon: icons[state],
  title: <Words of={words} />,
  at: at ?? null,
  text,
});

function momentsOf(decision: Decision, facts: CardFacts): Moment[] {
  const { approvals, status, evidence } = decision;
  const moments: Moment[] = [
    {
      key: 'recorded',
      tone: 'done',
      icon: <IconPencil size={14} />,
      title: (
        <>
          Recorded: <Words of={askedBy(facts)} />
        </>
      ),
      at: decision.createdAt,
      text: <OnJournal decision={decision} kind="recorded" />,
    },
    ...approvals.map(({ id, result }, place) =>
      momentOf(
        id,
        approvalPoint(facts, facts.approvals[place]!),
        result === 'rejected' && <OnJournal decision={decision} kind="rejected" />,
      ),
    ),
  ];
  if (status === 'sealed') {
    moments.push({
      key: 'sealed',
      tone: 'good',
      icon: <IconLock size={14} />,
      title: <>Sealed as record {recordNumber(evidence.chainIndex ?? 0)} of the proof chain</>,
      at: decision.updatedAt,
    });
    if (facts.outcome)
      moments.push(
        momentOf(
          'outcome',
          outcomePoint(facts, facts.outcome),
          <OnJournal decision={decision} kind="outcome" />,
        ),
      );
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
          <q dir="auto">{printable(members[0]!.reason ?? '')}</q>
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
        Record {recordNumber(entry.index)} of the journal
      </TextLink>
    </p>
  );
}
