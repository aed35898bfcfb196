import { createContext, useContext, useEffect, useEffectEvent } from 'react';

/** Passes events of the streams to the screens. */
export const LiveContext = createContext<EventTarget | null>(null);

/** Calls back on events of these kinds; a burst counts as one. */
export function useHub(kinds: readonly string[], throttleMs: number, callback: () => void): void {
  const hub = useContext(LiveContext);
  const call = useEffectEvent(callback);
  const all = kinds.join(' ');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        call();
      }, throttleMs);
    };
    const heard = all.split(' ');
    for (const kind of heard) hub?.addEventListener(kind, soon);
    return () => {
      clearTimeout(timer);
      for (const kind of heard) hub?.removeEventListener(kind, soon);
    };
  }, [hub, all, throttleMs]);
}
