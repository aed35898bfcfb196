import { isObject, type Json } from '../../graphql/graphql.ts';
import type { StepDraft } from './definitions.ts';

/** The value at `action.type`. */
export const valueAt = (step: StepDraft, path: string): Json | undefined =>
  path
    .split('.')
    .reduce<Json | undefined>((value, name) => (isObject(value) ? value[name] : undefined), step);

/** A copy of the step with another value there; undefined removes the member, and objects that become empty. */
export function withValueAt(step: StepDraft, path: string, value: Json | undefined): StepDraft {
  const [name, ...rest] = path.split('.') as [string, ...string[]];
  const { [name]: before, ...others } = step;
  if (rest.length === 0) return value === undefined ? others : { ...step, [name]: value };
  const after = withValueAt(isObject(before) ? before : {}, rest.join('.'), value);
  return Object.keys(after).length === 0 ? others : { ...step, [name]: after };
}
