import { type ReactNode, useState } from 'react';
import { graphql } from '../graphql/graphql.ts';
import { useLive } from '../graphql/use-live.ts';
import { auditTypes } from '../text/audit-titles.ts';
import { LiveContext, useHub } from './live-hub.ts';
import { useNotifier } from './use-notifier.ts';

const DecisionChanges = graphql(`subscription DecisionChanges { decisionEvents { id status } }`);
const MyApprovals = graphql(`
  subscription MyApprovals {
    approvalsForMe { eventId event { createdAt actor { id } action { type description } } }
  }
`);
const AuditEvents = graphql(`subscription AuditEvents { auditEntries { id type } }`);

/** Types of audit entries that screens react to. */
type AuditEventKind =
  | 'center.updated'
  | 'membership.moved'
  | 'api_key.changed'
  | 'webhook.changed'
  | 'workflow.executed'
  | 'any';

const THROTTLE_MS = 250;

interface Props {
  /** Null outside a center. */
  role: string | null;
  children: ReactNode;
}

/** Few streams for all screens of the center: browsers allow only a few connections. */
export function LiveCenter({ role, children }: Props) {
  const [hub] = useState(() => new EventTarget());
  const follow = role === 'ADMIN';
  const notifier = useNotifier();
  const dispatch = (kind: string) => hub.dispatchEvent(new Event(kind));
  const decisions = () => dispatch('decisions');
  // After an interruption, everything is read again.
  const everything = () => dispatch('return');
  useLive(DecisionChanges, {}, decisions, { pause: !follow, onReturn: decisions });
  useLive(AuditEvents, {}, ({ auditEntries }) => auditEntries.forEach(({ type }) => void dispatch(type)), {
    pause: !follow,
    onReturn: everything,
  });
  // Administrators hear of all decisions anyway.
  const followsOwn = role === 'INSTRUCTOR' || (role !== null && notifier.isOn);
  useLive(
    MyApprovals,
    {},
    ({ approvalsForMe }) => {
      if (!follow) decisions();
      notifier.announce(approvalsForMe.map(({ eventId, event }) => ({ eventId, ...event })));
    },
    {
      pause: !followsOwn,
      whileHidden: notifier.isOn,
      onReturn: () => {
        if (!follow) decisions();
        notifier.catchUp();
      },
    },
  );
  return <LiveContext value={hub}>{children}</LiveContext>;
}

/** Calls back when decisions of the center were added or changed; a burst counts as one. */
export function useDecisionChanges(callback: () => void): void {
  useHub(['decisions'], THROTTLE_MS, callback);
}

/** Calls back on audit entries of this kind. */
export function useAuditEvents(kind: AuditEventKind, callback: () => void): void {
  useHub(kind === 'any' ? ALL : [kind, 'return'], THROTTLE_MS, callback);
}

const ALL = [...auditTypes, 'decisions', 'return'];
