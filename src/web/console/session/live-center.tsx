import { type ReactNode, useState } from 'react';
import { graphql } from '../graphql/graphql.ts';
import { useLive } from '../graphql/use-live.ts';
import { auditTypes } from '../text/audit.ts';
import { LiveContext, useHub } from './live-hub.ts';

const DecisionsHappen = graphql(`subscription DecisionsHappen { decisionEvents { id status } }`);
const ThingsHappen = graphql(`subscription ThingsHappen { auditEntries { id type } }`);

/** Types of audit entries that screens react to. */
type Happening =
  | 'center.updated'
  | 'membership.moved'
  | 'api_key.changed'
  | 'webhook.changed'
  | 'workflow.executed'
  | 'any';

const TOGETHER_MS = 250;

/** Two streams for all screens of the center: browsers allow only a few connections. */
export function LiveCenter({ follow, children }: { follow: boolean; children: ReactNode }) {
  const [hub] = useState(() => new EventTarget());
  const tell = (kind: string) => hub.dispatchEvent(new Event(kind));
  const decisions = () => tell('decisions');
  // After an interruption, everything is read again.
  const everything = () => tell('return');
  useLive(DecisionsHappen, {}, decisions, { pause: !follow, onReturn: decisions });
  useLive(ThingsHappen, {}, ({ auditEntries }) => auditEntries.forEach(({ type }) => void tell(type)), {
    pause: !follow,
    onReturn: everything,
  });
  return <LiveContext value={hub}>{children}</LiveContext>;
}

/** Calls back when decisions of the center were added or changed; a burst counts as one. */
export function useDecisionsHappen(callback: () => void): void {
  useHub(['decisions'], TOGETHER_MS, callback);
}

/** Calls back on audit entries of this kind. */
export function useHappens(kind: Happening, callback: () => void): void {
  useHub(kind === 'any' ? ALL : [kind, 'return'], TOGETHER_MS, callback);
}

const ALL = [...auditTypes, 'decisions', 'return'];
