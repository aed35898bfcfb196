import { useDebouncedValue } from '@mantine/hooks';
import { graphql, isObject, type JsonObject } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { actionTypeProblem } from '../../text/action-type.ts';
import { faultMessage } from '../../text/faults.ts';
import { parsedJson } from '../../ui/json.tsx';

const CheckMandate = graphql(`
  query CheckMandate($input: MandateDraftInput!) {
    checkMandate(input: $input) { conditionProblem lifts notUsed approvalProblem }
  }
`);
export const TryMandate = graphql(`
  query TryMandate($input: TryMandateInput!) { tryMandate(input: $input) { approves reason } }
`);

const DEBOUNCE_MS = 350;

/** Why the text names no kind of action that a mandate can cover; null if it does. */
export const patternProblem = (text: string): string | null =>
  text.trim() && text.trim() !== '*'
    ? actionTypeProblem(text)
    : 'Name a kind of action, or a prefix with .* behind it.';

/** What the service says about a mandate while it is written. */
export function useMandateCheck(draft: { actionPattern: string; condition: string }, pause: boolean) {
  const [{ actionPattern, condition }] = useDebouncedValue(
    { actionPattern: draft.actionPattern.trim(), condition: draft.condition.trim() },
    DEBOUNCE_MS,
  );
  const input = {
    ...(patternProblem(actionPattern) === null && { actionPattern }),
    ...(condition && { condition }),
  };
  const { data } = useRead(CheckMandate, { input }, { pause });
  const check = data?.checkMandate;
  const problem = check?.conditionProblem;
  return {
    /** Only if the answer is about the present text. */
    conditionProblem: problem && condition === draft.condition.trim() ? faultMessage(problem) : null,
    lifts: check?.lifts ?? [],
    warnings: [check?.notUsed, check?.approvalProblem].filter((message) => message != null),
  };
}

/** The object in a text; undefined for an empty one, null for anything else. */
export function objectIn(text: string): JsonObject | null | undefined {
  if (text.trim() === '') return undefined;
  const value = parsedJson(text);
  return isObject(value) ? value : null;
}
