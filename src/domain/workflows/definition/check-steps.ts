import { z } from 'zod';
import { valueFault } from '../../../lib/json-faults.ts';
import { expressionProblem, stepsReadBy } from '../../expressions/expression.ts';
import {
  expressionsIn,
  stepsReadByTemplate,
  stringsIn,
  templateProblem,
} from '../../expressions/template.ts';
import { type Step, stepSchema } from './steps.ts';

const MAX_STEPS = 50;
/** Of all expressions of a workflow together: they are parsed whenever it is saved, while others wait. */
const MAX_EXPRESSION_CHARACTERS = 50_000;

interface Fault {
  path: (string | number)[];
  message: string;
}

/** The steps of a workflow: each well formed, and all of them fitting together. Faults name the step and field. */
export const stepsSchema = z
  .array(stepSchema)
  .min(1)
  .max(MAX_STEPS)
  .superRefine((steps, ctx) => {
    steps.forEach((step, place) => {
      const fault = valueFault(step);
      if (fault) ctx.addIssue({ code: 'custom', path: [place], message: fault.message });
    });
    const characters = steps.flatMap(sourcesOf).reduce((sum, { length }) => sum + length, 0);
    if (characters > MAX_EXPRESSION_CHARACTERS) {
      const message = `the expressions have more than ${MAX_EXPRESSION_CHARACTERS} characters in all`;
      return ctx.addIssue({ code: 'custom', path: [], message });
    }
    for (const { path, message } of faultsOf(steps)) ctx.addIssue({ code: 'custom', path, message });
  });

function faultsOf(steps: Step[]): Fault[] {
  const places = new Map<string, number>();
  return steps.flatMap((step, place) => {
    const faults: Fault[] = [];
    if (places.has(step.name))
      faults.push({ path: ['name'], message: `is used by step ${places.get(step.name)}` });
    faults.push(...expressionFaults(step, places), ...ownFaults(step, place, steps));
    places.set(step.name, place);
    return faults.map(({ path, message }) => ({ path: [place, ...path], message }));
  });
}

/** The fields that hold templates or expressions, by kind. */
function textsOf(step: Step): { field: string; expression: boolean; source: string }[] {
  const templates = (field: string, value: unknown) =>
    stringsIn(value).map((source) => ({ field, expression: false, source }));
  switch (step.kind) {
    case 'template':
      return templates('text', step.text);
    case 'http':
      return [
        ...templates('url', step.url),
        ...templates('headers', step.headers),
        ...templates('body', step.body),
      ];
    case 'condition':
      return [{ field: 'if', expression: true, source: step.if }];
    case 'wait':
      return step.until === undefined ? [] : [{ field: 'until', expression: true, source: step.until }];
    case 'emit_event':
      return templates('data', step.data);
    case 'record_decision':
      return templates('action', step.action);
    case 'human_review':
      return templates('prompt', step.prompt);
    case 'ai':
      return [...templates('prompt', step.prompt), ...templates('system', step.system)];
  }
}

function sourcesOf(step: Step): string[] {
  return textsOf(step).flatMap(({ expression, source }) => (expression ? [source] : expressionsIn(source)));
}

function expressionFaults(step: Step, earlier: ReadonlyMap<string, number>): Fault[] {
  return textsOf(step).flatMap(({ field, expression, source }) => {
    const problem = expression ? expressionProblem(source) : templateProblem(source);
    if (problem) return [{ path: [field], message: problem }];
    const read = expression ? stepsReadBy(source) : stepsReadByTemplate(source);
    return read
      .filter((name) => !earlier.has(name))
      .map((name) => ({ path: [field], message: `reads steps.${name}, which is no earlier step` }));
  });
}

function ownFaults(step: Step, place: number, steps: Step[]): Fault[] {
  if (step.name === 'end' || step.name === 'fail') {
    return [{ path: ['name'], message: 'end and fail have a meaning of their own' }];
  }
  if (step.kind === 'wait' && (step.seconds === undefined) === (step.until === undefined)) {
    return [{ path: ['seconds'], message: 'a wait has either seconds or until' }];
  }
  if (step.kind === 'condition' && step.otherwise !== 'end' && step.otherwise !== 'fail') {
    const target = steps.findIndex(({ name }) => name === step.otherwise);
    if (target <= place)
      return [{ path: ['otherwise'], message: 'must be end, fail or the name of a later step' }];
  }
  return [];
}
