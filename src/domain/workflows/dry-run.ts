import { DomainError, faultsOfIssue, validationError } from '../../lib/errors.ts';
import { isObject } from '../../lib/json.ts';
import { currentCenterId } from '../context.ts';
import type { ProofContext } from '../decisions/decision-context.ts';
import { ExpressionError } from '../expressions/expression.ts';
import { checkParameters } from './definition/parameters.ts';
import { type PlannedStep, planOf } from './definition/plan.ts';
import type { Step } from './definition/steps.ts';
import { workflowDefinition } from './definition/workflow.ts';
import { rendererIn } from './engine/begin-step.ts';
import type { Outcome, Output, Render } from './engine/outcome.ts';
import { performerOf } from './engine/performers.ts';
import type { Run } from './engine/run-state.ts';
import { scopeFor } from './engine/scope.ts';

/** A step in a dry run. */
export interface DryStep {
  path: string;
  name: string;
  kind: string;
  status: 'RUN' | 'SKIPPED' | 'FAILED' | 'NOT_REACHED';
  /** The step's input. */
  input: Output | null;
  /** What later steps see: computed, given by the caller, or assumed. */
  output: Output | null;
  assumed: boolean;
  error: string | null;
}

interface DryRunInput {
  definition?: unknown;
  parameters?: unknown;
  event?: unknown;
  /** Outputs of steps, by name, instead of the assumed ones. */
  outputs?: unknown;
}

/** Placeholder for the ids that a real run would have. */
const NO_ID = 'dry-run';

/** A person waits for the result, and a center's expressions run one after another. */
const MOST_MS = 10_000;

/**
 * Simulates a workflow with the given input and returns which steps would run. Expressions are evaluated as in a real run;
 * nothing is stored, sent or recorded. Steps that depend on others (a server, a model, a reviewer) get an assumed output
 * unless the caller gives one.
 */
export async function dryRunWorkflow(ctx: ProofContext, input: DryRunInput): Promise<DryStep[]> {
  const parsed = workflowDefinition.safeParse(input.definition);
  if (!parsed.success) {
    throw validationError(
      parsed.error.issues
        .flatMap(faultsOfIssue)
        .map(({ path, message }) => ({ path: `definition.${path}`, message })),
    );
  }
  const { name, steps, parametersSchema } = parsed.data;
  const parameters = checkParameters(parametersSchema, input.parameters);
  const given = membersOf(input.outputs, 'outputs');
  const event = membersOf(input.event, 'event');
  const run = await dryRun(ctx, name, planOf(steps), parameters);
  const deadline = Date.now() + MOST_MS;
  const shown: DryStep[] = [];
  while (run.position < run.steps.length) {
    if (Date.now() > deadline)
      throw new DomainError(
        'BAD_REQUEST',
        `The dry run took longer than ${MOST_MS / 1_000} seconds; simplify the expressions or remove steps.`,
      );
    const { step } = run.steps[run.position]!;
    const tried = await tryStep(ctx, run, step, given[step.name], event);
    shown.push(entryOf(run.steps[run.position]!, tried));
    if (tried.status === 'FAILED') break;
    run.outputs = { ...run.outputs, [step.name]: tried.output };
    for (const skipped of run.steps.slice(run.position + 1, tried.next)) {
      shown.push(entryOf(skipped, { status: 'SKIPPED' }));
    }
    run.position = tried.next;
  }
  const rest = run.steps.slice(shown.length).map((planned) => entryOf(planned, { status: 'NOT_REACHED' }));
  return [...shown, ...rest];
}

type Tried =
  | { status: 'RUN'; input: Output; output: Output; assumed: boolean; next: number }
  | { status: 'FAILED'; input?: Output; error: string };

function entryOf({ step, path }: PlannedStep, tried: Tried | { status: 'SKIPPED' | 'NOT_REACHED' }): DryStep {
  const { name, kind } = step;
  return { path, name, kind, input: null, output: null, assumed: false, error: null, ...tried };
}

async function tryStep(
  ctx: ProofContext,
  run: Run,
  step: Step,
  given: unknown,
  event: Record<string, unknown>,
): Promise<Tried> {
  const render: Render = rendererIn(ctx, run, async () => {
    const scope = await scopeFor(ctx, run, step);
    return { ...scope, event: { ...(scope.event as object), ...event } };
  });
  const performer = performerOf(step);
  let input: Output;
  try {
    input = await performer.prepare(step, render, ctx);
  } catch (error) {
    if (error instanceof ExpressionError) return { status: 'FAILED', error: error.message };
    throw error;
  }
  const { position } = run;
  const next = run.steps[position]!.next;
  if (performer.outside) {
    const output = isObject(given) ? given : assumedOutput(step, input);
    return { status: 'RUN', input, output, assumed: true, next };
  }
  // A step inside the service only reports what it would change. The function that makes the change is not called.
  const outcome = await performer.perform(step, { ctx, run, position, input, render });
  if (outcome.kind === 'failed') return { status: 'FAILED', input, error: outcome.error };
  const computed = outputOf(outcome);
  const output = computed ?? (isObject(given) ? given : assumedOutput(step, input));
  if (step.kind === 'human_review' && output['approved'] !== true && step.onReject === 'fail') {
    return { status: 'FAILED', input, error: 'rejected' };
  }
  return {
    status: 'RUN',
    input,
    output,
    assumed: computed === null,
    next: outcome.kind === 'done' ? (outcome.next ?? next) : next,
  };
}

function outputOf(outcome: Outcome): Output | null {
  if (outcome.kind === 'pause') return { until: outcome.until.toISOString() };
  return outcome.kind === 'done' && typeof outcome.output !== 'function' ? outcome.output : null;
}

function assumedOutput(step: Step, input: Output): Output {
  switch (step.kind) {
    case 'http':
      return { status: 200, body: {} };
    case 'ai':
      return { text: '', model: input['model'] ?? '', finishReason: 'stop' };
    case 'human_review':
      return { approved: true, reason: null, reviewerId: '' };
    case 'record_decision':
      return { eventId: '', decisionId: '' };
    default:
      return { ...input };
  }
}

async function dryRun(
  ctx: ProofContext,
  name: string,
  steps: PlannedStep[],
  parameters: Record<string, unknown>,
): Promise<Run> {
  const centerId = currentCenterId(ctx);
  const { vertical } = await ctx.db.center.findUniqueOrThrow({
    where: { id: centerId },
    select: { vertical: true },
  });
  return {
    executionId: NO_ID,
    centerId,
    workflow: { id: NO_ID, name, vertical },
    version: 0,
    steps,
    position: 0,
    parameters,
    startedBy: NO_ID,
    startedAt: ctx.now,
    trail: [],
    owner: '',
    outputs: {},
  };
}

function membersOf(value: unknown, path: string): Record<string, unknown> {
  if (value === null || value === undefined) return {};
  if (!isObject(value)) throw validationError([{ path, message: 'must be an object' }]);
  return value;
}
