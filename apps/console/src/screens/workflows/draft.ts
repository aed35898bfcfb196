import type { Json, ResultOf, VariablesOf } from '../../graphql/graphql.ts';
import type {
  CreateWorkflow,
  Parameter,
  StepDraft,
  Version,
  Vocabulary,
  WholeWorkflow,
} from './definitions.ts';
import { parametersIn, stepsIn } from './definitions.ts';
import { kinds } from './kinds.ts';
import { schemaOf } from './parameters.tsx';

export type Input = VariablesOf<typeof CreateWorkflow>['input'];

/** A step while it is edited. The key stays when the step moves or gets another name. */
export interface DraftStep {
  key: number;
  /** Without the sides of a branch. */
  step: StepDraft;
  yes: DraftStep[];
  no: DraftStep[];
}

export type Side = 'yes' | 'no';
export const sides: readonly Side[] = ['yes', 'no'];
export const sideTitles: Record<Side, string> = { yes: 'If true', no: 'Otherwise' };

export interface Draft extends Pick<WholeWorkflow, 'name' | 'description' | 'type'> {
  cron: string;
  /** Empty for the zone of the center. */
  timezone: string;
  eventPattern: string;
  steps: DraftStep[];
  parameters: Parameter[];
  /** What was typed into a field for JSON and is not valid yet, by its place (problems.ts). */
  texts: Record<string, string>;
}

export function draftStep({ yes, no, ...step }: StepDraft): DraftStep {
  return {
    // Random, because a restored draft brings its keys with it.
    key: Math.random(),
    step,
    yes: stepsIn(yes ?? []).map(draftStep),
    no: stepsIn(no ?? []).map(draftStep),
  };
}

export const emptyDraft = (): Draft => ({
  name: '',
  description: '',
  type: 'MANUAL',
  cron: '0 8 * * 1',
  timezone: '',
  eventPattern: '',
  steps: [draftStep({ name: 'text', kind: 'template', text: '' })],
  parameters: [],
  texts: {},
});

export function draftOf(workflow: WholeWorkflow, { steps, parametersSchema }: Version): Draft {
  const { name, description, type, cron, timezone, eventPattern } = workflow;
  return {
    name,
    description,
    type,
    cron: cron ?? '0 8 * * 1',
    timezone: timezone ?? '',
    eventPattern: eventPattern ?? '',
    steps: stepsIn(steps).map(draftStep),
    parameters: parametersIn(parametersSchema),
    texts: {},
  };
}

function stepOf({ step, yes, no }: DraftStep): StepDraft {
  return step['kind'] === 'branch' ? { ...step, yes: yes.map(stepOf), no: no.map(stepOf) } : step;
}

export function definitionOf(draft: Draft): Input {
  const { name, description, type, cron, timezone, eventPattern, steps, parameters } = draft;
  return {
    name,
    description,
    type,
    steps: steps.map(stepOf),
    parametersSchema: type === 'MANUAL' ? schemaOf(parameters) : null,
    ...(type === 'SCHEDULED' && { cron, timezone: timezone || null }),
    ...(type === 'EVENT' && { eventPattern }),
  };
}

/** All steps, those in branches included, in the order in which they are shown. */
export const allSteps = (steps: readonly DraftStep[]): DraftStep[] =>
  steps.flatMap((each) => [each, ...allSteps(each.yes), ...allSteps(each.no)]);

export const nameOf = ({ step }: DraftStep) => (typeof step['name'] === 'string' ? step['name'] : '');
export const kindOf = ({ step }: DraftStep) => String(step['kind']);

/** A new step of a kind, with a name that no other step has. */
export function newStep(kind: string, draft: Draft): DraftStep {
  const used = new Set(allSteps(draft.steps).map(nameOf));
  let number = used.size + 1;
  while (used.has(`step${number}`)) number++;
  return draftStep({ name: `step${number}`, kind, ...kinds[kind]?.start });
}

/** A value that expressions can read. */
export interface Available {
  name: string;
  description: string;
}

export type Names = ResultOf<typeof Vocabulary>['workflowNames'];

/**
 * Values that a step of the draft can read: those of every workflow, parameters, and outputs of steps that always run before
 * it.
 */
export function availableAt(draft: Draft, key: number, names: Names | undefined): Available[] {
  if (!names) return [];
  const outputs = (step: DraftStep) =>
    (names.outputs.find(({ kind }) => kind === kindOf(step))?.members ?? []).map(({ name, description }) => ({
      name: `steps.${nameOf(step)}.${name}`,
      description,
    }));
  const parameters = draft.parameters.map(({ name, title }) => ({
    name: `parameters.${name}`,
    description: title && title !== name ? title : 'Parameter of the run',
  }));
  return [
    ...(draft.type === 'MANUAL' ? parameters : []),
    ...(earlierOf(draft.steps, key) ?? []).flatMap(outputs),
    ...names.values,
  ];
}

function earlierOf(steps: readonly DraftStep[], key: number): DraftStep[] | null {
  for (const [place, each] of steps.entries()) {
    const before = steps.slice(0, place);
    if (each.key === key) return before;
    const inside = earlierOf(each.yes, key) ?? earlierOf(each.no, key);
    if (inside) return [...before, each, ...inside];
  }
  return null;
}

export const sameDefinition = (one: Json, other: Json) => JSON.stringify(one) === JSON.stringify(other);
