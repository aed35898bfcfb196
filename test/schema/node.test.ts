import { isInterfaceType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import { nodeTypenames } from '../../src/schema/node-ids.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeForeignTenant } from '../helpers/foreign.ts';
import { makeMember } from '../helpers/world.ts';

let house: TestApp;
beforeAll(async () => {
  house = await startTestApp();
});
afterAll(() => house.close());

const NODE = 'query ($id: ID!) { node(id: $id) { __typename id } }';

test('every node type has an id prefix, and no other type has one', () => {
  const node = schema.getType('Node');
  const types = isInterfaceType(node) ? schema.getPossibleTypes(node).map(({ name }) => name) : [];
  expect([...nodeTypenames].sort()).toEqual(types.sort());
});

test('looking up a node requires the same role as reading it', async () => {
  const tenant = await makeForeignTenant(house.app);
  const look = async (prefix: string, token: string) => {
    const { data, errors } = await house.graphql(NODE, { id: tenant.ids[prefix]! }, token);
    return data.node?.id === tenant.ids[prefix] ? 'seen' : errors?.[0]?.extensions.code;
  };
  const [instructor, parent, child] = await Promise.all(
    (['INSTRUCTOR', 'PARENT', 'CHILD'] as const).map((role) => makeMember(house.app, tenant.centerId, role)),
  );
  const table: Record<string, [admin: string, instructor: string, family: string, key: string]> = {
    apr: ['seen', 'INSUFFICIENT_ROLE', 'INSUFFICIENT_ROLE', 'seen'],
    dpu: ['seen', 'seen', 'INSUFFICIENT_ROLE', 'seen'],
    evt: ['seen', 'INSUFFICIENT_ROLE', 'INSUFFICIENT_ROLE', 'seen'],
    exe: ['seen', 'seen', 'INSUFFICIENT_ROLE', 'UNAUTHORIZED'],
    key: ['seen', 'INSUFFICIENT_ROLE', 'INSUFFICIENT_ROLE', 'UNAUTHORIZED'],
    wf: ['seen', 'seen', 'INSUFFICIENT_ROLE', 'UNAUTHORIZED'],
    whk: ['seen', 'INSUFFICIENT_ROLE', 'INSUFFICIENT_ROLE', 'seen'],
  };
  for (const [prefix, expected] of Object.entries(table)) {
    const callers = [tenant.token, instructor!.token, parent!.token, tenant.key];
    expect(await Promise.all(callers.map((token) => look(prefix, token))), prefix).toEqual(expected);
    expect(await look(prefix, child!.token)).toBe('INSUFFICIENT_ROLE');
  }
});

test('a missing object is null, and an invalid id returns NOT_FOUND', async () => {
  const { token } = await makeForeignTenant(house.app);
  for (const prefix of ['key', 'dpu', 'evt', 'mbr', 'bkg', 'wf']) {
    const { data, errors } = await house.graphql(NODE, { id: `${prefix}_none` }, token);
    expect([data, errors]).toEqual([{ node: null }, undefined]);
  }
  for (const id of ['', 'nonsense', 'xyz_1', '__proto___1', 'constructor_1']) {
    const { errors } = await house.graphql(NODE, { id }, token);
    expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  }
});
