import { guardName, guardSentence, isRequired } from '@countersign/proof-kit/guard-sentences';
import { IconCheck, IconClock, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { authenticationLabels } from '../../text/policies.ts';
import { Panel } from '../../ui/panel.tsx';
import { Lines, Loaded } from '../../ui/states.tsx';
import classes from './guards.module.css';
import type { Decision } from './one-decision.ts';

const SealedPolicy = graphql(`query SealedPolicy($id: ID!) { evidence(id: $id) { policy } }`);

interface GuardVerdict {
  guard: string;
  verdict: string;
  detail: string;
  /** The policy that requires it: sealed records and the API name it differently. */
  policy?: string | null;
  policyId?: string | null;
  version?: number | null;
}

/** The result of each guard when the decision was sealed. */
export function SealedGuards({ evidenceId }: { evidenceId: string }) {
  const read = useRead(SealedPolicy, { id: evidenceId });
  return (
    <Panel title="Guards">
      <Loaded of={read} skeleton={<Lines count={4} />} small>
        {({ evidence }) => {
          const { guards } = evidence.policy as unknown as { guards: GuardVerdict[] };
          return <GuardList guards={guards} />;
        }}
      </Loaded>
    </Panel>
  );
}

const icons = { pass: <IconCheck size={14} />, fail: <IconX size={14} />, pending: <IconClock size={14} /> };
const verdictLabels = { pass: 'Passed', fail: 'Failed', pending: 'Waits' };

interface Requirement {
  key: string | number;
  verdict: keyof typeof icons;
  title: ReactNode;
  detail: ReactNode;
}

/** Requirements, each with a mark that says whether it is met. */
function RequirementList({ of: requirements }: { of: readonly Requirement[] }) {
  return (
    <ul className={classes.guards}>
      {requirements.map(({ key, verdict, title, detail }) => (
        <li key={key} data-verdict={verdict}>
          <span className={classes.icon} aria-hidden="true">
            {icons[verdict]}
          </span>
          <span>
            <strong>{title}</strong>
            <span className={classes.detail}>{detail}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

export function GuardList({ guards }: { guards: GuardVerdict[] }) {
  const shown = guards.filter(isRequired).map(({ guard, verdict, detail, policy, policyId, version }) => {
    const kind = verdict in icons ? (verdict as keyof typeof icons) : 'pending';
    return {
      key: guard,
      verdict: kind,
      title: (
        <>
          {guardName(guard)}
          <span className="visually-hidden">: {verdictLabels[kind]}</span>
        </>
      ),
      detail: `${guardSentence(detail)}${policy || policyId ? ` (policy version ${version})` : ''}`,
    };
  });
  return <RequirementList of={shown} />;
}

type Seat = Decision['seats'][number];

/** The seats of a quorum: who may fill each, who did, and which are open. */
export function SeatList({ seats }: { seats: readonly Seat[] }) {
  const shown = seats.map((seat) => {
    const filled = seat.filledBy.map(({ approver }) => approver.name ?? approver.id);
    const names = filled.length > 0 ? `: ${filled.join(', ')}` : '';
    const authentication = authenticationLabels[seat.authentication];
    return {
      key: seat.index,
      verdict: seat.open ? ('pending' as const) : ('pass' as const),
      title: seatLabel(seat),
      detail: `${filled.length} of ${seat.count} filled${names}. ${authentication}.`,
    };
  });
  return <RequirementList of={shown} />;
}

/** Such as “2 of Finance”. */
export const seatLabel = ({ count, group, groupName }: Pick<Seat, 'count' | 'group' | 'groupName'>) =>
  `${count} of ${group === null ? 'any human' : (groupName ?? 'a group that was deleted')}`;
