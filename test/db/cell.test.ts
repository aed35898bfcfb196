import { expect, test } from 'vitest';
import { bindCenterIds, requireCell } from '../../src/db/cell.ts';
import { testApp } from '../helpers/app.ts';
import { testDatabase } from '../helpers/database.ts';
import { makeStage } from '../helpers/world.ts';

const CREATE = /* GraphQL */ `
  mutation { createApiKey(input: { name: "robot", scopes: ["proof:write"] }) { plaintext apiKey { id } } }`;

test('API keys and ids contain the letter of the cell, and center ids are in its range', async () => {
  const database = await testDatabase();
  await bindCenterIds(database.ownerUrl, 'c');
  const { app, graphql, call } = await testApp({ database, env: { CELL: 'c' } });
  const { token, center } = await makeStage(app);
  expect(center.id).toBe(80_000_001);
  const { plaintext, apiKey } = (await graphql(CREATE, {}, token)).data.createApiKey;
  expect(plaintext).toMatch(/^csk_c[0-9A-Za-z]{7}_[0-9A-Za-z]{43}$/);
  expect(apiKey.id).toMatch(/^key_[0-9a-z]{10}c[0-9a-z]{16}$/);
  const listed = await call('GET', '/v1/decision-events', { token: plaintext });
  expect(listed.status).toBe(200);
});

test('a database belongs to the cell of its centers, and another CELL is rejected', async () => {
  const database = await testDatabase();
  await bindCenterIds(database.ownerUrl, 'b');
  // It is still empty.
  await bindCenterIds(database.ownerUrl, 'a');
  const { app } = await testApp({ database });
  const { center } = await makeStage(app);
  expect(center.id).toBe(1);
  await expect(bindCenterIds(database.ownerUrl, 'b')).rejects.toThrow('CELL must be a on this database');
  await expect(requireCell(database.url, 'b')).rejects.toThrow('CELL must be a on this database');
  await bindCenterIds(database.ownerUrl, 'a');
  await requireCell(database.url, 'a');
  expect((await makeStage(app)).center.id).toBe(2);
});

test('centers created before ids were bound to a cell belong to cell a', async () => {
  const { app, database } = await testApp();
  await makeStage(app);
  await expect(bindCenterIds(database.ownerUrl, 'z')).rejects.toThrow('CELL must be a on this database');
  await bindCenterIds(database.ownerUrl, 'a');
  expect((await makeStage(app)).center.id).toBe(2);
});

test('a login that does not own the tables can use a cell, but not set one up', async () => {
  const { url, ownerUrl } = await testDatabase();
  await bindCenterIds(url, 'a');
  await expect(bindCenterIds(url, 'b')).rejects.toThrow('CELL b has to be set up by the owner of the tables');
  await bindCenterIds(ownerUrl, 'b');
  await bindCenterIds(url, 'b');
  await expect(bindCenterIds(url, 'a')).rejects.toThrow('CELL must be b on this database');
});
