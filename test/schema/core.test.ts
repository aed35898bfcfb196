import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import { accessRuleOf } from '../../src/schema/internals/pothos.ts';
import { testApp } from '../helpers/app.ts';
import { runAs } from '../helpers/server.ts';
import { makeStage } from '../helpers/world.ts';

/** GraphQL describes its own. */
const GIVEN = new Set(['String', 'Int', 'Float', 'Boolean', 'ID']);

function undescribed(described: GraphQLSchema): string[] {
  const missing: string[] = [];
  const check = (name: string, description: unknown) => {
    if (!description && !GIVEN.has(name)) missing.push(name);
  };
  for (const type of Object.values(described.getTypeMap()) as GraphQLNamedType[]) {
    if (type.name.startsWith('__')) continue;
    check(type.name, type.description);
    if (isEnumType(type) || !(isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)))
      continue;
    for (const field of Object.values(type.getFields())) {
      check(`${type.name}.${field.name}`, field.description);
      if ('args' in field) {
        for (const arg of field.args) check(`${type.name}.${field.name}.${arg.name}`, arg.description);
      }
    }
  }
  return missing;
}

test('every type, field and argument has a description', () => {
  expect(undescribed(schema)).toEqual([]);
});

test('every root field declares who can use it', () => {
  const open: string[] = [];
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(root!.getFields())) {
      // `node` has the rule of the type that its id names.
      if (field.name !== 'node' && !accessRuleOf(field)) open.push(`${root!.name}.${field.name}`);
    }
  }
  expect(open).toEqual([]);
});

/** Executions of a workflow of executions of a workflow … */
const nested = (times: number): string =>
  times === 0 ? 'id' : `workflow { executions(first: 1) { edges { node { ${nested(times - 1)} } } } }`;

test.each([
  ['depth', `{ workflowExecution(id: "exe_1") { ${nested(4)} } }`],
  [
    'complexity',
    `{ ${Array.from({ length: 9 }, (_, i) => `k${i}: apiKeys(first: 100) { edges { node { ${'id name scopes '.repeat(4)} } } }`).join(' ')} }`,
  ],
  [
    'breadth',
    `{ me { ${Array.from({ length: 29 }, (_, i) => `a${i}: memberships { id centerId centerName role status centerDomain invitedAt endedAt __typename }`).join(' ')} ${'name '.repeat(60)} } }`,
  ],
  ['aliases', `{ ${Array.from({ length: 40 }, (_, i) => `a${i}: me { name }`).join(' ')} }`],
  ['tokens', `{ me { ${'name '.repeat(3_000)} } }`],
  [
    'introspection',
    '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
  ],
])('a query with too much %s is rejected', async (_, query) => {
  const { app, graphql } = await testApp();
  const { token } = await makeStage(app);
  const { errors, data } = await graphql(query, {}, token);
  expect(errors!.map((error) => error.message)).toEqual([
    expect.stringMatching(/too large|more tha[nt]|depth/),
  ]);
  expect(Object.values(data ?? {}).filter((value) => value !== null)).toEqual([]);
});

test('batches are rejected', async () => {
  const { fetch } = await testApp();
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ query: '{ __typename }' }, { query: '{ __typename }' }]),
  });
  expect(response.status).toBe(400);
});

test('database error messages are never disclosed', async () => {
  const { app, database, graphql, call, logged } = await testApp();
  const { token } = await makeStage(app);
  await runAs(database.adminUrl, 'ALTER TABLE api_key RENAME TO api_key_gone');
  const { errors } = await graphql('{ apiKeys(first: 1) { edges { node { id } } } }', {}, token);
  expect(errors![0]!.extensions.code).toBe('DATABASE_ERROR');
  expect(JSON.stringify(errors)).not.toMatch(/api_key_gone|relation|prisma|select/i);
  await runAs(database.adminUrl, 'ALTER TABLE membership RENAME TO membership_gone');
  const rest = await call('GET', '/auth/me', { token });
  expect([rest.status, rest.body.error.code]).toEqual([500, 'DATABASE_ERROR']);
  expect(rest.text).not.toMatch(/membership|relation|prisma|select/i);
  expect(logged.join('')).toContain('membership');
});

test('GraphiQL is served outside production only, without external resources', async () => {
  const outside = await testApp();
  const page = await (await outside.fetch('/graphql', { headers: { accept: 'text/html' } })).text();
  expect(page).toContain('<title>Countersign</title>');
  expect(page).not.toMatch(/(src|href)="https?:/);
  const production = await testApp({ env: { NODE_ENV: 'production' } });
  for (const accept of ['text/html', 'text/html,application/xhtml+xml', 'image/*']) {
    const refused = await production.fetch('/graphql', { headers: { accept } });
    expect(refused.status, accept).toBe(406);
    expect(await refused.json()).toEqual({
      errors: [{ message: expect.any(String), extensions: { code: 'NOT_ACCEPTABLE' } }],
    });
  }
  const query = encodeURIComponent('{ __typename }');
  for (const accept of ['*/*', 'application/json', 'text/html;q=0.5, application/graphql-response+json']) {
    const answered = await production.fetch(`/graphql?query=${query}`, { headers: { accept } });
    expect(await answered.json(), accept).toEqual({ data: { __typename: 'Query' } });
  }
});
