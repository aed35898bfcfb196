import { useEffect, useEffectEvent } from 'react';
import { useVisible } from '../browser/use-visible.ts';

const EVERY_MS = 20_000;

/** Refreshes from time to time while the page is visible, for data without live updates. */
export function useRefresh(reload: () => void): void {
  const visible = useVisible();
  const ask = useEffectEvent(reload);
  useEffect(() => {
    if (!visible) return undefined;
    const timer = setInterval(ask, EVERY_MS);
    return () => clearInterval(timer);
  }, [visible]);
}
