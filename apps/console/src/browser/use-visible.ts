import { useSyncExternalStore } from 'react';

const watch = (changed: () => void) => {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
};

/** Whether this tab is visible. */
export const useVisible = () => useSyncExternalStore(watch, () => document.visibilityState === 'visible');
