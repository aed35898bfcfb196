import { allSteps, type DraftStep, kindOf, nameOf, type Side, sides, sideTitles } from './draft.ts';

/** A list of steps: a side of a branch, or the main list. */
export interface StepPlace {
  /** The key of the branch, or null for the main list. */
  branch: number | null;
  side: Side;
  label: string;
}

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
            : [{ branch: branch.key, side, label: `${nameOf(branch)}: ${sideTitles[side]}` }]),
          ...inside(branch[side]),
        ]),
      );
  return [...(isHere(steps) ? [] : [MAIN]), ...inside(steps)];
}

/** Moves a step to the end of another list, or behind the branch that it leaves. */
export function moveTo(steps: readonly DraftStep[], key: number, { branch, side }: StepPlace): DraftStep[] {
  const moved = allSteps(steps).find((each) => each.key === key);
  if (!moved) return [...steps];
  const place = (list: readonly DraftStep[], isTarget: boolean): DraftStep[] => {
    const rest = list
      .filter((each) => each !== moved)
      .map((each) => ({
        ...each,
        yes: place(each.yes, each.key === branch && side === 'yes'),
        no: place(each.no, each.key === branch && side === 'no'),
      }));
    const left = list.findIndex(({ yes, no }) => allSteps([...yes, ...no]).includes(moved));
    return isTarget ? rest.toSpliced(left < 0 ? rest.length : left + 1, 0, moved) : rest;
  };
  return place(steps, branch === null);
}
