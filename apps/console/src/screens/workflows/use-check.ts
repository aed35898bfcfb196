import { useDebouncedValue } from '@mantine/hooks';
import { useCallback, useEffect, useState } from 'react';
import type { Json } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { CheckWorkflow } from './definitions.ts';
import type { Draft, Input } from './draft.ts';
import { problemsOf } from './problems.ts';

const DEBOUNCE_MS = 350;

interface Check {
  /** The messages to show, by their places (problems.ts). */
  shown: ReadonlyMap<string, string>;
  /** The next runs of a schedule. */
  nextRuns: readonly string[];
  /** The person has left these places, so their problems are shown. */
  onLeave: (...slots: string[]) => void;
  /** Whether no problem is known. Otherwise, all are shown and the first field gets the focus. */
  isReady: () => boolean;
}

/**
 * The problems of a draft. They are shown once their field was left; an attempt to save shows all that the draft has then. What
 * is added after that, such as a step with empty fields, is not red before the person has left it.
 */
export function useCheck(draft: Draft, definition: Input): Check {
  const current = JSON.stringify(definition);
  const [asked] = useDebouncedValue(current, DEBOUNCE_MS);
  const { data, loading } = useRead(CheckWorkflow, { definition: JSON.parse(asked) as Json });
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [attempts, setAttempts] = useState(0);
  /** The draft of the last attempt. */
  const [attempted, setAttempted] = useState<string>();
  const problems = problemsOf(draft, data?.checkWorkflow.faults ?? []);
  const onLeave = useCallback(
    (...slots: string[]) =>
      setLeft((before) =>
        slots.every((slot) => before.has(slot)) ? before : new Set([...before, ...slots]),
      ),
    [],
  );
  const slots = problems.map(({ slot }) => slot).join('\n');
  useEffect(() => {
    if (attempted === current && slots) onLeave(...slots.split('\n'));
  }, [attempted, current, slots, onLeave]);
  useEffect(() => {
    if (attempts > 0) document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
  }, [attempts]);
  const isReady = () => {
    setAttempts((before) => before + 1);
    setAttempted(current);
    // The result of the last check may belong to an earlier state: then the service decides.
    const isCurrent = asked === current && !loading;
    return (isCurrent ? problems : problemsOf(draft, [])).length === 0;
  };
  const shown = problems.filter(({ slot }) => attempted === current || left.has(slot));
  return {
    shown: new Map(shown.map(({ slot, message }) => [slot, message])),
    nextRuns: data?.checkWorkflow.nextRuns ?? [],
    onLeave,
    isReady,
  };
}
