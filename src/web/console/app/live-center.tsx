import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useState } from 'react';
import { graphql } from '../graphql/graphql.ts';
import { useLive } from '../graphql/use-live.ts';
import { auditTypes } from '../words/audit.ts';

const DecisionsHappen = graphql(`subscription DecisionsHappen { decisionEvents { id status } }`);
const ThingsHappen = graphql(`subscription ThingsHappen { auditEntries { id type } }`);

const LiveContext = createContext<EventTarget | null>(null);

/** What the audit log tells of, as far as screens show it. */
export type Happening =
  | 'center.updated'
  | 'membership.moved'
  | 'api_key.changed'
  | 'webhook.changed'
  | 'workflow.executed'
  | 'any';

/** Two streams for the whole center, whatever screens are open: browsers allow only a few. */
export function LiveCenter({ follow, children }: { follow: boolean; children: ReactNode }) {
  const [hub] = useState(() => new EventTarget());
  const tell = (kind: string) => hub.dispatchEvent(new Event(kind));
  const decisions = () => tell('decisions');
  // Whoever was away asks for everything again.
  const everything = () => tell('return');
  useLive(DecisionsHappen, {}, decisions, { pause: !follow, onReturn: decisions });
  useLive(ThingsHappen, {}, ({ auditEntries }) => auditEntries.forEach(({ type }) => void tell(type)), {
    pause: !follow,
    onReturn: everything,
  });
  return <LiveContext value={hub}>{children}</LiveContext>;
}

/** Calls back when decisions of the center have come or moved; several at once count as one. */
export function useDecisionsHappen(callback: () => void): void {
  useHub(['decisions'], callback);
}

/** Calls back when something of this kind was done in the center. */
export function useHappens(kind: Happening, callback: () => void): void {
  useHub(kind === 'any' ? ALL : [kind, 'return'], callback);
}

const ALL = [...auditTypes, 'decisions', 'return'];

const TOGETHER_MS = 250;

function useHub(kinds: string[], callback: () => void): void {
  const hub = useContext(LiveContext);
  const call = useEffectEvent(callback);
  const all = kinds.join(' ');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        call();
      }, TOGETHER_MS);
    };
    const heard = all.split(' ');
    for (const kind of heard) hub?.addEventListener(kind, soon);
    return () => {
      clearTimeout(timer);
      for (const kind of heard) hub?.removeEventListener(kind, soon);
    };
  }, [hub, all]);
}
