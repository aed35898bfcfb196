import { z } from 'zod';
import { valueFault } from '../../../lib/json-faults.ts';
import { expressionProblem } from '../../expressions/expression.ts';
import { type MemberRead, membersReadBy } from '../../expressions/members.ts';
import { expressionsIn, stringsIn, templateProblem } from '../../expressions/template.ts';
import { outputProblem, variableProblem } from './names.ts';
import { planOf } from './plan.ts';
import { type Step, stepSchema } from './steps.ts';

const MAX_STEPS = 50;
const MAX_DEPTH = 5;
/** For all expressions of a workflow together: each save parses them and blocks other requests meanwhile. */
const MAX_EXPRESSION_CHARACTERS = 50_000;

interface Fault {
  path: (string | number)[];
  message: string;
}

/** Checks each step of a workflow and how they fit together. Errors name the step and field. */
export const stepsSchema = z
  .array(stepSchema)
  .min(1)
  .max(MAX_STEPS)
  .superRefine((steps, ctx) => {
    const add = (path: (string | number)[], message: string) =>
      ctx.addIssue({ code: 'custom', path, message });
    if (depthOf(steps) > MAX_DEPTH) return add([], `branches can be nested ${MAX_DEPTH} levels deep`);
    const plan = planOf(steps);
    if (plan.length > MAX_STEPS) {
      return add([], `a workflow has at most ${MAX_STEPS} steps, including those in branches`);
    }
    steps.forEach((step, place) => {
      const fault = valueFault(step);
      if (fault) add([place], fault.message);
    });
    const characters = plan
      .flatMap(({ step }) => sourcesOf(step))
      .reduce((sum, { length }) => sum + length, 0);
    if (characters > MAX_EXPRESSION_CHARACTERS) {
      return add([], `the expressions have more than ${MAX_EXPRESSION_CHARACTERS} characters in all`);
    }
    for (const { path, message } of faultsOf(steps)) add(path, message);
  });

function depthOf(steps: readonly Step[]): number {
  return Math.max(
    0,
    ...steps.map((step) => (step.kind === 'branch' ? 1 + depthOf([...step.yes, ...step.no]) : 0)),
  );
}

/** An earlier step, as seen by later ones. */
interface Earlier {
  kind: Step['kind'];
  /** Its branch, if the reader is not on the same side. Then it may not have run. */
  branch: string | null;
}

function faultsOf(steps: readonly Step[]): Fault[] {
  const faults: Fault[] = [];
  const names = new Set<string>();
  /** Returns what the steps after the list can read, in addition to what the list itself could. */
  const walk = (list: readonly Step[], path: Fault['path'], before: ReadonlyMap<string, Earlier>) => {
    const earlier = new Map(before);
    list.forEach((step, place) => {
      const own: Fault[] = [];
      if (names.has(step.name)) own.push({ path: ['name'], message: 'is the name of another step' });
      names.add(step.name);
      own.push(...expressionFaults(step, earlier), ...ownFaults(step, place, list));
      faults.push(...own.map((fault) => ({ ...fault, path: [...path, place, ...fault.path] })));
      earlier.set(step.name, { kind: step.kind, branch: null });
      if (step.kind !== 'branch') return;
      const sides = (['yes', 'no'] as const).map((side) => walk(step[side], [...path, place, side], earlier));
      for (const [name, { kind }] of sides.flatMap((side) => [...side])) {
        if (!earlier.has(name)) earlier.set(name, { kind, branch: step.name });
      }
    });
    return earlier;
  };
  walk(steps, [], new Map());
  return faults;
}

/** A text with expressions in it, or an expression, and its field. */
interface Source {
  field: string;
  expression: boolean;
  source: string;
}

/** The fields with templates or expressions, by kind. */
function textsOf(step: Step): Source[] {
  const templates = (field: string, value: unknown) =>
    stringsIn(value).map((source) => ({ field, expression: false, source }));
  switch (step.kind) {
    case 'template':
      return templates('text', step.text);
    case 'http':
      return (['url', 'headers', 'body'] as const).flatMap((field) => templates(field, step[field]));
    case 'condition':
    case 'branch':
      return [{ field: 'if', expression: true, source: step.if }];
    case 'wait':
      return step.until === undefined ? [] : [{ field: 'until', expression: true, source: step.until }];
    case 'emit_event':
      return templates('data', step.data);
    case 'record_decision':
      return (['type', 'description', 'input', 'output'] as const).flatMap((member) =>
        templates(`action.${member}`, step.action[member]),
      );
    case 'human_review':
      return templates('prompt', step.prompt);
    case 'ai':
      return (['prompt', 'system'] as const).flatMap((field) => templates(field, step[field]));
  }
}

const expressionsOf = ({ expression, source }: Source) => (expression ? [source] : expressionsIn(source));

function sourcesOf(step: Step): string[] {
  return textsOf(step).flatMap(expressionsOf);
}

function expressionFaults(step: Step, earlier: ReadonlyMap<string, Earlier>): Fault[] {
  return textsOf(step).flatMap((text) => {
    const path = text.field.split('.');
    const problem = text.expression ? expressionProblem(text.source) : templateProblem(text.source);
    if (problem) return [{ path, message: problem }];
    const read = expressionsOf(text).flatMap(membersReadBy);
    const problems = read.map((member) => readProblem(member, earlier)).filter((each) => each !== null);
    return [...new Set(problems)].map((message) => ({ path, message }));
  });
}

function readProblem({ path, tested }: MemberRead, earlier: ReadonlyMap<string, Earlier>): string | null {
  const [variable, name, ...members] = path;
  if (variable !== 'steps') return variableProblem(path);
  if (name === undefined) return null;
  const step = earlier.get(name);
  if (!step) return `reads steps.${name}, which does not run before this step`;
  if (step.branch !== null && !tested) {
    return `reads steps.${name}, which runs on one side of ${step.branch} only: test has(steps.${name}) first`;
  }
  return outputProblem(name, step.kind, members);
}

/** Parameters that expressions read but the workflow does not declare. */
export function undeclaredParameters(steps: readonly Step[], declared: ReadonlySet<string>): Fault[] {
  return planOf(steps).flatMap(({ step, path }) =>
    textsOf(step).flatMap((text) => {
      const problem = text.expression ? expressionProblem(text.source) : templateProblem(text.source);
      const read = problem ? [] : expressionsOf(text).flatMap(membersReadBy);
      const names = read.flatMap(({ path: [variable, name], tested }) =>
        variable === 'parameters' && name !== undefined && !tested && !declared.has(name) ? [name] : [],
      );
      return [...new Set(names)].map((name) => ({
        path: [...path.split('.'), ...text.field.split('.')],
        message: `unknown parameter parameters.${name}: ${
          declared.size > 0 ? `use ${[...declared].join(', ')}, or declare it` : 'declare it'
        }`,
      }));
    }),
  );
}

function ownFaults(step: Step, place: number, list: readonly Step[]): Fault[] {
  if (step.name === 'end' || step.name === 'fail') {
    return [{ path: ['name'], message: 'cannot be end or fail, which are targets of conditions' }];
  }
  if (step.kind === 'wait' && (step.seconds === undefined) === (step.until === undefined)) {
    return [{ path: ['seconds'], message: 'a wait has either seconds or until' }];
  }
  if (step.kind === 'branch' && step.yes.length + step.no.length === 0) {
    return [{ path: ['yes'], message: 'a branch needs at least one step' }];
  }
  if (step.kind === 'condition' && step.otherwise !== 'end' && step.otherwise !== 'fail') {
    const target = list.findIndex(({ name }) => name === step.otherwise);
    if (target <= place) {
      return [{ path: ['otherwise'], message: 'must be end, fail or a later step on the same side' }];
    }
  }
  return [];
}
