import { type ReactNode, useState } from 'react';
import { graphql } from '../graphql/graphql.ts';
import { useLive } from '../graphql/use-live.ts';
import { auditTypes } from '../text/audit-titles.ts';
import { LiveContext, useHub } from './live-hub.ts';

const DecisionChanges = graphql(`subscription DecisionChanges { decisionEvents { id status } }`);
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

/** Two streams for all screens of the center: browsers allow only a few connections. */
export function LiveCenter({ follow, children }: { follow: boolean; children: ReactNode }) {
  const [hub] = useState(() => new EventTarget());
  const dispatch = (kind: string) => hub.dispatchEvent(new Event(kind));
  const decisions = () => dispatch('decisions');
  // After an interruption, everything is read again.
  const everything = () => dispatch('return');
  useLive(DecisionChanges, {}, decisions, { pause: !follow, onReturn: decisions });
  useLive(AuditEvents, {}, ({ auditEntries }) => auditEntries.forEach(({ type }) => void dispatch(type)), {
    pause: !follow,
    onReturn: everything,
  });
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
