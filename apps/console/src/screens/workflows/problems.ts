import { faultMessage } from '../../text/faults.ts';
import { type Draft, type DraftStep, kindOf, sides, sideTitles } from './draft.ts';
import { kinds } from './kinds.ts';

/** A problem at the place of the editor that shows it: one for each place, as a person counts them. */
export interface Problem {
  slot: string;
  message: string;
}

interface Fault {
  path: string;
  message: string;
}

/** Fields outside the steps. Everything else is shown where the workflow is saved. */
const TOP = ['name', 'description', 'cron', 'timezone', 'eventPattern', 'parametersSchema'] as const;
export const ELSEWHERE = 'elsewhere';

export const stepSlot = (key: number, field: string) => `${key} ${field}`;
/** Problems of a step that belong to none of its fields. */
export const wholeStep = (key: number) => stepSlot(key, '*');
/** The key of a text that is not valid JSON yet. */
export const textSlot = (key: number, kind: string, field: string) => `${key} ${kind} ${field}`;

const isBelow = (at: string, path: string) => at === path || at.startsWith(`${path}.`);
/** A side of a branch by its title; other paths as they are. */
const titleOf = (at: string) => sides.flatMap((side) => (side === at ? sideTitles[side] : [])).at(0) ?? at;
const isOfSide = (path: string) => sides.some((side) => path.startsWith(`${side}.`));

/** The faults that the service found in a draft, and texts that are not valid JSON, at their places. */
export function problemsOf(draft: Draft, faults: readonly Fault[]): Problem[] {
  const problems = new Map<string, string>();
  const add = (slot: string, message: string) => problems.has(slot) || problems.set(slot, message);
  const inSteps = (steps: readonly DraftStep[], list: string) => {
    for (const [place, each] of steps.entries()) {
      const path = `${list}.${place}`;
      const kind = kindOf(each);
      const fields = ['name', ...(kinds[kind]?.fields ?? []).map((field) => field.path)];
      for (const field of fields) {
        if (draft.texts[textSlot(each.key, kind, field)] !== undefined)
          add(stepSlot(each.key, field), 'This is not valid JSON.');
      }
      for (const fault of faults.filter(({ path: at }) => isBelow(at, path))) {
        const at = fault.path.slice(path.length + 1);
        if (isOfSide(at)) continue;
        const field = fields.find((name) => isBelow(at, name));
        const message = faultMessage(fault.message);
        if (field) add(stepSlot(each.key, field), message);
        else add(wholeStep(each.key), at && !message.includes(at) ? `${titleOf(at)}: ${message}` : message);
      }
      for (const side of sides) inSteps(each[side], `${path}.${side}`);
    }
  };
  inSteps(draft.steps, 'steps');
  for (const { path, message } of faults.filter(({ path: at }) => !at.startsWith('steps.'))) {
    add(TOP.find((name) => isBelow(path, name)) ?? ELSEWHERE, faultMessage(message));
  }
  return [...problems].map(([slot, message]) => ({ slot, message }));
}
