/** Fields that show a value as it is: their types come from the datamodel, or are spelled (see typed-fields.ts). */
import { expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';

const typesOf = (name: string) => {
  const type = schema.getType(name);
  const fields = type && 'getFields' in type ? type.getFields() : expect.fail(`${name} has no fields`);
  return Object.fromEntries(Object.values(fields).map((field) => [field.name, String(field.type)]));
};

test('a column has the type, the list and the nullability of the datamodel', () => {
  expect(typesOf('Webhook')).toMatchObject({
    url: 'String!',
    events: '[String!]!',
    active: 'Boolean!',
    failingSince: 'DateTime',
  });
  expect(typesOf('Workflow')).toMatchObject({ status: 'WorkflowStatus!', version: 'Int!' });
  expect(typesOf('WorkflowStepRun')).toMatchObject({ input: 'JSON' });
});

test('a property has the type that is spelled', () => {
  expect(typesOf('Membership')).toMatchObject({
    actorId: 'ID',
    specialties: '[String!]!',
    role: 'ActorRole!',
    pendingRole: 'ActorRole',
    endedAt: 'DateTime',
  });
});
