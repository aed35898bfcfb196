import type { Json } from '../../graphql/graphql.ts';
import type { StepDraft } from './definitions.ts';

/** The value at `action.type`. */
export function valueAt(step: StepDraft, path: string): Json | undefined {
  let value: Json | undefined = step;
  for (const name of path.split('.')) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
    value = value[name];
  }
  return value;
}

/** A copy of the step with another value there; undefined removes the member, and objects that become empty. */
export function withValueAt(step: StepDraft, path: string, value: Json | undefined): StepDraft {
  const [name, ...rest] = path.split('.') as [string, ...string[]];
  const { [name]: before, ...others } = step;
  if (rest.length === 0) return value === undefined ? others : { ...others, [name]: value };
  const inner = before !== null && typeof before === 'object' && !Array.isArray(before) ? before : {};
  const after = withValueAt(inner as StepDraft, rest.join('.'), value);
  return Object.keys(after).length === 0 ? others : { ...others, [name]: after };
}
