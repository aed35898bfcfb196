import { z } from 'zod';
import { plainText } from '../../../lib/text.ts';
import { knownPatterns } from '../../events/catalog.ts';
import { cronProblem } from '../schedule.ts';
import { stepsSchema, undeclaredParameters } from './check-steps.ts';
import { parametersSchemaSchema } from './parameters.ts';

const cron = z
  .string()
  .max(200)
  .superRefine((expression, ctx) => {
    const problem = cronProblem(expression);
    if (problem) ctx.addIssue({ code: 'custom', message: problem });
  });

const timezone = z.string().refine(isZone, 'must be an IANA time zone, such as Europe/Berlin');

const eventPattern = z
  .string()
  .refine((pattern) => knownPatterns.has(pattern), 'must be an event type, a prefix with .*, or *');

/** What starts a workflow: exactly the fields that its type needs. */
const triggers = z.discriminatedUnion('type', [
  z.object({ type: z.literal('MANUAL').describe('What starts the workflow.') }),
  z.object({
    type: z.literal('SCHEDULED'),
    cron: cron.describe(
      'SCHEDULED: when it starts, as five cron fields: minute, hour, day of month, month, day of week.',
    ),
    timezone: timezone
      .nullish()
      .describe(
        'SCHEDULED: the IANA time zone of the cron fields, such as `Europe/Berlin`. Default: that of the center.',
      ),
  }),
  z.object({
    type: z.literal('EVENT'),
    eventPattern: eventPattern.describe(
      'EVENT: the events that start it: an event type, a prefix with `.*`, or `*`.',
    ),
  }),
]);

/** If the schema allows additional properties, or there is none, parameter names are not checked. */
const stepsAndParameters = z
  .object({
    steps: stepsSchema.describe(
      'The steps in order: objects with `name`, `kind` (template, http, condition, branch, wait, emit_event, record_decision, human_review, ai) and the fields of the kind. A branch has `if` and the steps of its sides, `yes` and `no`.',
    ),
    parametersSchema: parametersSchemaSchema
      .nullish()
      .describe('JSON Schema of the parameters. Without it, any parameters are accepted.'),
  })
  .superRefine(({ steps, parametersSchema }, ctx) => {
    if (!parametersSchema || parametersSchema.additionalProperties) return;
    const declared = new Set(Object.keys(parametersSchema.properties));
    for (const { path, message } of undeclaredParameters(steps, declared)) {
      ctx.addIssue({ code: 'custom', path, message });
    }
  });

const labels = z.object({
  name: plainText(256).trim().min(1).describe('The name that people see, 1 to 256 characters.'),
  description: plainText(5_000)
    .nullish()
    .describe('What the workflow is for, in the words of the center, at most 5,000 characters.'),
});
const content = z.intersection(labels, stepsAndParameters);

/** A complete workflow as submitted by its author. */
export const workflowDefinition = z.intersection(content, triggers);
export type WorkflowDefinition = z.infer<typeof workflowDefinition>;
export type WorkflowDefinitionInput = z.input<typeof workflowDefinition>;

export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
