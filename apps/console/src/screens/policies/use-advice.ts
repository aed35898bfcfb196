import { useDebouncedValue } from '@mantine/hooks';
import { useCallback, useEffect, useState } from 'react';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useSession } from '../../session/session-context.ts';
import { actionTypeProblem } from '../../text/action-type.ts';
import { faultMessage } from '../../text/faults.ts';
import { adviceInput, type PolicyDraft } from './policy-draft.ts';

const CheckPolicy = graphql(`
  query CheckPolicy($input: PolicyDraftInput!) { checkPolicy(input: $input) { path level message } }
`);

export type Warning = ResultOf<typeof CheckPolicy>['checkPolicy'][number];

const DEBOUNCE_MS = 350;

export interface Advice {
  /** What keeps the policy from being saved, at a field that was left. The path is that of the input. */
  fault: (path: string) => string | undefined;
  warnings: (path: string) => Warning[];
  /** All warnings. */
  all: readonly Warning[];
  onLeave: (path: string) => void;
  /** Whether no fault is known. Otherwise, all are shown and the first field gets the focus. */
  isReady: () => boolean;
}

type Faults = ReadonlyMap<string, string>;

/** What the service says about a draft while it is written. Faults are shown once their field was left, warnings at once. */
export function useAdvice(draft: PolicyDraft, id: string | null): Advice {
  const { me } = useSession();
  const current = JSON.stringify(adviceInput(draft, id));
  const [asked] = useDebouncedValue(current, DEBOUNCE_MS);
  const own = ownFaults(draft);
  const { data, failure, loading } = useRead(
    CheckPolicy,
    { input: JSON.parse(asked) },
    // Platform administrators of other roles can save policies, but the people of the center are not theirs to see.
    { pause: me.role !== 'ADMIN' },
  );
  const isCurrent = asked === current && !loading;
  const all = useLatest(failure ? [] : data?.checkPolicy, isCurrent) ?? [];
  const faults: Faults = new Map([...(isCurrent ? faultsIn(failure?.details) : []), ...own]);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [attempts, setAttempts] = useState(0);
  const onLeave = useCallback(
    (path: string) => setLeft((before) => (before.has(path) ? before : new Set([...before, path]))),
    [],
  );
  useEffect(() => {
    if (attempts > 0) document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
  }, [attempts]);
  return {
    fault: (path) => (attempts > 0 || left.has(path) ? faults.get(path) : undefined),
    warnings: (path) => all.filter((each) => each.path === path),
    all,
    onLeave,
    isReady: () => {
      setAttempts((before) => before + 1);
      return faults.size === 0;
    },
  };
}

/** The last value that was current, so that warnings do not flicker while the next ones are read. */
function useLatest<T>(value: T | undefined, isCurrent: boolean): T | undefined {
  const [latest, setLatest] = useState(value);
  const key = JSON.stringify(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the value
  useEffect(() => {
    if (isCurrent) setLatest(value);
  }, [isCurrent, key]);
  return latest;
}

function faultsIn(details: Record<string, unknown> | undefined): [string, string][] {
  const fields = details?.['fields'];
  if (!Array.isArray(fields)) return [];
  return (fields as { path?: string; message?: string }[]).flatMap(({ path, message }) =>
    path && message ? [[path.replace(/^input\./, ''), faultMessage(message)] as [string, string]] : [],
  );
}

/** Faults that need no service, in words that fit the fields. */
function ownFaults({ name, actionPattern, seats, ...draft }: PolicyDraft): [string, string][] {
  const { escalateAfterSeconds: after, escalateToGroup: group } = draft;
  const faults: [string, string][] = [];
  if (!name.trim()) faults.push(['name', 'Give the policy a name.']);
  const pattern = actionPattern.trim()
    ? actionTypeProblem(actionPattern)
    : 'Enter the covered actions; * covers all.';
  if (pattern) faults.push(['actionPattern', pattern]);
  seats.forEach(({ count }, i) => {
    if (count === '') faults.push([`guards.quorum.${i}.count`, 'Enter a number from 1 to 10.']);
  });
  if (seats.length > 0 && after !== null && group === null)
    faults.push(['guards.escalateToGroup', 'Choose the group that can fill open seats then.']);
  if (seats.length > 0 && after === null && group !== null)
    faults.push(['guards.escalateAfterSeconds', 'Enter the time after which it escalates.']);
  return faults;
}
