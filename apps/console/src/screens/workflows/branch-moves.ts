import { type DraftStep, kindOf, nameOf, type Side, sides } from './draft.ts';

/** A list of steps: a side of a branch, or the main list. */
export interface StepPlace {
  /** The key of the branch, or null for the main list. */
  branch: number | null;
  side: Side;
  label: string;
}

const sideLabels: Record<Side, string> = { yes: 'If true', no: 'Otherwise' };
const MAIN: StepPlace = { branch: null, side: 'yes', label: 'Main steps' };

/** The lists that a step can move to: all but its own, and none inside the step itself. */
export function placesFor(steps: readonly DraftStep[], key: number): StepPlace[] {
  const isHere = (list: readonly DraftStep[]) => list.some((each) => each.key === key);
  const inside = (list: readonly DraftStep[]): StepPlace[] =>
    list
      .filter((each) => each.key !== key && kindOf(each) === 'branch')
      .flatMap((branch) =>
        sides.flatMap((side) => [
          ...(isHere(branch[side])
            ? []
            : [{ branch: branch.key, side, label: `${nameOf(branch)}: ${sideLabels[side]}` }]),
          ...inside(branch[side]),
        ]),
      );
  return [...(isHere(steps) ? [] : [MAIN]), ...inside(steps)];
}

/** Moves a step to the end of another list, or behind the branch that it leaves. */
export function moveTo(steps: readonly DraftStep[], key: number, { branch, side }: StepPlace): DraftStep[] {
  const moved = find(steps, key);
  if (!moved) return [...steps];
  const put = (list: readonly DraftStep[]): DraftStep[] => {
    const left = list.findIndex((each) => contains(each, key));
    const at = left < 0 ? list.length : left + 1;
    const next = [...list.slice(0, at), moved, ...list.slice(at)];
    return next.map((each) => (each === moved ? each : without(each, key)));
  };
  const place = (list: readonly DraftStep[]): DraftStep[] =>
    list
      .filter((each) => each.key !== key)
      .map((each) => {
        const next = { ...each, yes: place(each.yes), no: place(each.no) };
        return each.key === branch ? { ...next, [side]: put(each[side]) } : next;
      });
  return branch === null ? put(steps) : place(steps);
}

const find = (steps: readonly DraftStep[], key: number): DraftStep | undefined =>
  steps
    .flatMap((each) => (each.key === key ? [each] : [find(each.yes, key) ?? find(each.no, key)]))
    .find(Boolean);

const contains = ({ yes, no }: DraftStep, key: number) => find([...yes, ...no], key) !== undefined;

function without(step: DraftStep, key: number): DraftStep {
  const rest = (list: readonly DraftStep[]) =>
    list.filter((each) => each.key !== key).map((each) => without(each, key));
  return { ...step, yes: rest(step.yes), no: rest(step.no) };
}
