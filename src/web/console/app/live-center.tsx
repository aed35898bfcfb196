import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useState } from 'react';
import { graphql } from '../graphql/graphql.ts';
import { useLive } from '../graphql/use-live.ts';

const DecisionsHappen = graphql(`subscription DecisionsHappen { decisionEvents { id status } }`);

const LiveContext = createContext<EventTarget | null>(null);

/** One stream for the whole center, whatever screens are open: browsers allow only a few. */
export function LiveCenter({ follow, children }: { follow: boolean; children: ReactNode }) {
  const [hub] = useState(() => new EventTarget());
  const tell = () => hub.dispatchEvent(new Event('decisions'));
  useLive(DecisionsHappen, {}, tell, { pause: !follow, onReturn: tell });
  return <LiveContext value={hub}>{children}</LiveContext>;
}

/** Calls back when decisions of the center have come or moved; several at once count as one. */
export function useDecisionsHappen(callback: () => void): void {
  useHub('decisions', callback);
}

const TOGETHER_MS = 250;

function useHub(kind: string, callback: () => void): void {
  const hub = useContext(LiveContext);
  const call = useEffectEvent(callback);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        call();
      }, TOGETHER_MS);
    };
    hub?.addEventListener(kind, soon);
    return () => {
      clearTimeout(timer);
      hub?.removeEventListener(kind, soon);
    };
  }, [hub, kind]);
}
