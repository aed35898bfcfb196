import { useEffect, useEffectEvent } from 'react';
import { useVisible } from '../browser/use-visible.ts';

const EVERY_MS = 20_000;

/** Asks again every now and then while somebody looks: for what the service does not tell by itself. */
export function useRefresh(reload: () => void): void {
  const visible = useVisible();
  const ask = useEffectEvent(reload);
  useEffect(() => {
    if (!visible) return undefined;
    const timer = setInterval(ask, EVERY_MS);
    return () => clearInterval(timer);
  }, [visible]);
}
