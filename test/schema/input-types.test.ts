import { getNamedType, isInputObjectType, isNonNullType, OperationTypeNode } from 'graphql';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { schema } from '../../src/schema/index.ts';

const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType);

const rootFields = Object.values(OperationTypeNode).flatMap((operation) =>
  Object.values(schema.getRootType(operation)?.getFields() ?? {}),
);
const argumentTypes = new Set(
  rootFields.flatMap(({ args }) => args.map(({ type }) => getNamedType(type).name)),
);

const rulesOf = ({ extensions }: (typeof inputs)[number]) =>
  (extensions['@pothos/plugin-validation']?.schemas ?? []) as z.ZodType[];

test.each(inputs.map((type) => [type.name, type] as const))('%s is validated once', (name, type) => {
  // The schema of an argument covers the objects inside it.
  expect(rulesOf(type)).toHaveLength(argumentTypes.has(name) ? 1 : 0);
});

test.each(
  inputs.flatMap((type) => {
    const [rule] = rulesOf(type);
    return rule instanceof z.ZodObject ? [[type.name, type, rule] as const] : [];
  }),
)('%s has the members of its zod schema, and requires those that the schema requires', (_, type, rule) => {
  const members = Object.entries(rule.shape as Record<string, z.ZodType>);
  const required = members.map(([name, member]) => [name, !member.safeParse(undefined).success]);
  const fields = Object.values(type.getFields()).map(({ name, type: of }) => [name, isNonNullType(of)]);
  expect(Object.fromEntries(fields)).toEqual(Object.fromEntries(required));
});

test('the members of all options of a union are fields, required if every option requires them', () => {
  const { name, type, cron, eventPattern } = inputs
    .find(({ name }) => name === 'CreateWorkflowInput')!
    .getFields();
  expect([name, type, cron, eventPattern].map((field) => String(field?.type))).toEqual([
    'String!',
    'WorkflowType!',
    'String',
    'String',
  ]);
});

test('a default of the zod schema is the default of the field', () => {
  const { overlapHours } = inputs.find(({ name }) => name === 'RotateApiKeyInput')!.getFields();
  expect(overlapHours).toMatchObject({ defaultValue: 24, description: expect.stringContaining('hours') });
});
