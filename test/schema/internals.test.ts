/**
 * What src/schema/internals uses of Pothos beyond its documented API. A version that changes any of it fails here before it
 * fails in production.
 */
import { graphql, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import type { RequestContext } from '../../src/api/request-context.ts';
import { schema } from '../../src/schema/index.ts';
import { accessRuleOf, loadsRows } from '../../src/schema/internals/pothos.ts';

function fieldOf(typeName: string, name: string) {
  const type = schema.getType(typeName);
  return isObjectType(type) ? type.getFields()[name]! : expect.fail(`${typeName} is not an object type`);
}

test('a built field keeps the options it was declared with', () => {
  expect(accessRuleOf(fieldOf('Mutation', 'signIn'))).toEqual({ public: true });
  expect(accessRuleOf(fieldOf('SignedIn', 'accessToken'))).toBeUndefined();
});

test('a field for which the Prisma plugin loads rows keeps its selection', () => {
  expect(loadsRows(fieldOf('Delivery', 'attemptLog'))).toBe(true);
  expect(loadsRows(fieldOf('SignedIn', 'accessToken'))).toBe(false);
});

/** The invalid fields of a call, or null if the call reached the resolver, which fails without a database. */
async function faultsOf(token: string, ownQuery: boolean): Promise<unknown> {
  const { errors } = await graphql({
    schema,
    source: 'mutation ($token: String!) { readInvitation(input: { token: $token }) { __typename } }',
    variableValues: { token },
    contextValue: { principal: { kind: 'anonymous' }, ownQuery } as RequestContext,
  });
  const cause = errors?.[0]?.originalError as { details?: { fields?: unknown } } | undefined;
  return cause?.details?.fields ?? null;
}

test('arguments are checked, then validated, before the resolver; those of our own queries are neither', async () => {
  expect(await faultsOf('\0', false)).toEqual([{ path: 'input.token', message: expect.any(String) }]);
  expect(await faultsOf('', false)).toEqual([
    { path: 'input.token', message: expect.stringContaining('>=1 characters') },
  ]);
  expect(await faultsOf('', true)).toBeNull();
});
