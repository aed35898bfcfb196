import { useSyncExternalStore } from 'react';

const watch = (changed: () => void) => {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
};

/** Whether somebody may be looking at this tab. */
export const useVisible = () => useSyncExternalStore(watch, () => document.visibilityState === 'visible');
