import type { Step } from './steps.ts';

/** A step at its position in an execution. Positions only increase, so every step runs at most once. */
export interface PlannedStep {
  /** A branch without its sides, which follow it in the plan. */
  step: Step;
  /** The position after this step; the number of steps means the end. For a branch: the start of `yes`. */
  next: number;
  /** For a branch: the start of `no`. */
  noAt?: number;
  /** The step's path in the definition, such as `steps.1.yes.0`. */
  path: string;
}

/**
 * The steps in order of position: a branch, its `yes` side, its `no` side, the step after it. The last step of `yes` continues
 * after `no`. Without branches, positions are the indexes of the list.
 */
export function planOf(steps: readonly Step[]): PlannedStep[] {
  const plan: PlannedStep[] = [];
  const lay = (list: readonly Step[], after: number, path: string): void => {
    list.forEach((step, index) => {
      const at = plan.length;
      const next = index === list.length - 1 ? after : at + sizeOf(step);
      const own = `${path}.${index}`;
      if (step.kind !== 'branch') {
        plan.push({ step, next, path: own });
        return;
      }
      const noStart = at + 1 + total(step.yes);
      plan.push({
        step: { ...step, yes: [], no: [] },
        next: step.yes.length > 0 ? at + 1 : next,
        noAt: step.no.length > 0 ? noStart : next,
        path: own,
      });
      lay(step.yes, next, `${own}.yes`);
      lay(step.no, next, `${own}.no`);
    });
  };
  lay(steps, total(steps), 'steps');
  return plan;
}

function sizeOf(step: Step): number {
  return step.kind === 'branch' ? 1 + total(step.yes) + total(step.no) : 1;
}

const total = (steps: readonly Step[]): number => steps.reduce((sum, step) => sum + sizeOf(step), 0);
