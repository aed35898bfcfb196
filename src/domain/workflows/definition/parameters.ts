import { z } from 'zod';
import { type FieldFault, validationError } from '../../../lib/errors.ts';
import { plainObject } from '../../../lib/text.ts';

/**
 * A workflow's parameters, described in a subset of JSON Schema. It is enough for forms and validation, and excludes patterns
 * and references, with which a tenant could cause unbounded computation.
 */
const MAX_PROPERTIES = 50;
const name = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'must be an identifier');
const words = { title: z.string().max(200).optional(), description: z.string().max(1_000).optional() };
const size = z.int().min(0).max(100_000).optional();

const scalar = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('string'),
    ...words,
    enum: z.array(z.string().max(1_000)).min(1).max(100).optional(),
    minLength: size,
    maxLength: size,
    default: z.string().max(10_000).optional(),
  }),
  z.strictObject({
    type: z.literal(['number', 'integer']),
    ...words,
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    default: z.number().optional(),
  }),
  z.strictObject({ type: z.literal('boolean'), ...words, default: z.boolean().optional() }),
]);

const list = z.strictObject({
  type: z.literal('array'),
  ...words,
  items: scalar,
  minItems: size,
  maxItems: size,
});

export const parametersSchemaSchema = z.strictObject({
  type: z.literal('object'),
  ...words,
  properties: z
    .record(name, z.union([scalar, list, z.strictObject({ type: z.literal('object'), ...words })]))
    .refine((given) => Object.keys(given).length <= MAX_PROPERTIES, `at most ${MAX_PROPERTIES} parameters`)
    .default({}),
  required: z.array(name).max(MAX_PROPERTIES).optional(),
  additionalProperties: z.boolean().optional(),
});

const MAX_PARAMETERS_BYTES = 64 * 1024;

const anything = plainObject(MAX_PARAMETERS_BYTES);

/** The parameters with defaults applied, or the error that names the invalid ones. */
export function checkParameters(schema: unknown, given: unknown): Record<string, unknown> {
  const object = accepted(anything, given ?? {});
  if (!schema) return object;
  const known = parametersSchemaSchema.parse(schema) as z.core.JSONSchema.JSONSchema;
  return accepted(z.fromJSONSchema(known), object) as Record<string, unknown>;
}

function accepted<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields: FieldFault[] = parsed.error.issues.map((issue) => ({
    path: ['parameters', ...issue.path].join('.'),
    message: issue.message,
  }));
  throw validationError(fields);
}
