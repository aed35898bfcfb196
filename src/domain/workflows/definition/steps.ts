import { z } from 'zod';
import { eventTypes } from '../../events/catalog.ts';

/** The schema of each kind of step. Checks across steps are in check-steps.ts. */

/** Expressions read steps as `steps.<name>`, so a name must be an identifier. */
const stepName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, 'must be a letter followed by letters, digits or _ (at most 64)');

const text = z.string().min(1).max(20_000);
const shortText = z.string().min(1).max(2_000);

const retry = z
  .strictObject({
    /** Retries after the first attempt. */
    limit: z.int().min(0).max(10),
    /** Seconds before the first retry; doubles each time. */
    backoffSeconds: z.number().min(0).max(3_600).default(5),
  })
  .optional();

const named = { name: stepName };

/** The events that a workflow may emit. Events about records, payments and transfers are emitted by the platform itself. */
const raisableEvents = eventTypes.filter(
  (type) => !/^(dpu|payment|workflow)\./.test(type),
) as unknown as readonly ['agent.decision.completed', ...(typeof eventTypes)[number][]];

const template = z.strictObject({ ...named, kind: z.literal('template'), text });

const http = z.strictObject({
  ...named,
  kind: z.literal('http'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('POST'),
  url: shortText,
  headers: z
    .record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'must be a header name'), shortText)
    .optional(),
  /** Any JSON, with templates in its strings. */
  body: z.json().optional(),
  timeoutSeconds: z.int().min(1).max(30).default(10),
  retry,
});

const condition = z.strictObject({
  ...named,
  kind: z.literal('condition'),
  if: shortText,
  /** What happens if the condition is false: `end` or `fail` the execution, or continue with a later step. */
  otherwise: z.union([z.literal(['end', 'fail']), stepName]).default('end'),
});

const wait = z.strictObject({
  ...named,
  kind: z.literal('wait'),
  seconds: z
    .number()
    .min(0)
    .max(31 * 86_400)
    .optional(),
  /** An expression that evaluates to a time. */
  until: shortText.optional(),
});

const emitEvent = z.strictObject({
  ...named,
  kind: z.literal('emit_event'),
  type: z.enum(raisableEvents),
  data: z.record(z.string(), z.json()).default({}),
});

const recordDecision = z.strictObject({
  ...named,
  kind: z.literal('record_decision'),
  action: z.strictObject({
    type: z.string().min(1).max(256),
    description: shortText.optional(),
    input: z.record(z.string(), z.json()).optional(),
    output: z.record(z.string(), z.json()).optional(),
  }),
  tags: z.array(z.string().min(1).max(64)).max(50).default([]),
});

const humanReview = z.strictObject({
  ...named,
  kind: z.literal('human_review'),
  prompt: text,
  roles: z
    .array(z.enum(['ADMIN', 'INSTRUCTOR']))
    .min(1)
    .max(2)
    .default(['ADMIN']),
  onReject: z.enum(['fail', 'continue']).default('fail'),
});

const ai = z.strictObject({
  ...named,
  kind: z.literal('ai'),
  prompt: text,
  system: text.optional(),
  model: z.string().min(1).max(200).optional(),
  maxTokens: z.int().min(1).max(8_000).default(800),
  temperature: z.number().min(0).max(2).optional(),
  timeoutSeconds: z.int().min(1).max(120).default(60),
  retry,
});

const singleSteps = [template, http, condition, wait, emitEvent, recordDecision, humanReview, ai] as const;
type SingleStep = z.infer<(typeof singleSteps)[number]>;
type SingleStepInput = z.input<(typeof singleSteps)[number]>;

interface BranchStep {
  name: string;
  kind: 'branch';
  if: string;
  yes: Step[];
  no: Step[];
}
interface BranchStepInput extends Omit<BranchStep, 'yes' | 'no'> {
  yes?: StepInput[] | undefined;
  no?: StepInput[] | undefined;
}

export type Step = SingleStep | BranchStep;
type StepInput = SingleStepInput | BranchStepInput;
export type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;

type Side = z.ZodType<Step[], StepInput[] | undefined>;

/** Exactly one side runs; both continue with the step after the branch. */
const branch = z.strictObject({
  ...named,
  kind: z.literal('branch'),
  if: shortText,
  get yes(): Side {
    return side;
  },
  get no(): Side {
    return side;
  },
});

export const stepSchema: z.ZodType<Step, StepInput> = z.discriminatedUnion('kind', [
  ...singleSteps,
  branch,
]) as unknown as z.ZodType<Step, StepInput>;

const side: Side = z.array(stepSchema).default([]);
