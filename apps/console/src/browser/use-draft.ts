import { useCallback, useEffect, useRef, useState } from 'react';
import { draftKey, readDraft, removeDraft, writeDraft } from './drafts.ts';

interface State<T> {
  key: string | null;
  value: T;
  initial: T;
  restored: boolean;
}

type Next<T> = T | ((before: T) => T);

/**
 * The value, the setter, a function that discards the draft and returns to the initial value, and whether the value was restored
 * from an earlier load of the page (show `RestoredDraft` then).
 */
type UseDraft<T> = readonly [
  value: T,
  setValue: (next: Next<T>) => void,
  clearDraft: () => void,
  restored: boolean,
];

const start = <T>(key: string | null, initial: T): State<T> => {
  const stored = readDraft(key, initial);
  return { key, initial, value: stored === undefined ? initial : stored, restored: stored !== undefined };
};

/**
 * Like `useState`, for input that must survive a reload and the end of the session. The name identifies the form, with the id of what it
 * is about: `reason evt_1`. The value must be JSON. Call `clearDraft` once it is saved; if the form may be gone by then, call
 * `discardDraft` with its name.
 */
export function useDraft<T>(name: string, initial: T | (() => T)): UseDraft<T> {
  const key = draftKey(name);
  const fresh = () => start(key, typeof initial === 'function' ? (initial as () => T)() : initial);
  const [stored, setState] = useState(fresh);
  const state = stored.key === key ? stored : fresh();
  if (state !== stored) setState(state);
  useEffect(() => writeDraft(state.key, state.value, state.initial), [state.key, state.value, state.initial]);
  const setValue = useCallback(
    (next: Next<T>) =>
      setState((before) => ({
        ...before,
        value: typeof next === 'function' ? (next as (value: T) => T)(before.value) : next,
      })),
    [],
  );
  const latest = useRef(state.key);
  latest.current = state.key;
  const clearDraft = useCallback(() => {
    // At once: the page may be left before the next rendering.
    removeDraft(latest.current);
    setState((before) => ({ ...before, value: before.initial, restored: false }));
  }, []);
  return [state.value, setValue, clearDraft, state.restored];
}

/** Removes a draft whose form may no longer be on the screen. */
export const discardDraft = (name: string): void => removeDraft(draftKey(name));
