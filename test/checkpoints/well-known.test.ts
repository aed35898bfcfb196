import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noteKeyId, parseVerifierKey } from '@countersign/proof-kit';
import { expect, test } from 'vitest';
import { openKeyring } from '../../src/domain/ledger/keys/change.ts';
import { makeCheckpoint } from '../../src/domain/ledger/signing/checkpoints.ts';
import { testApp } from '../helpers/app.ts';
import { runAs } from '../helpers/server.ts';
import { appendRecords, makeChain, numbered } from './chains.ts';

const JSON_PATH = '/.well-known/countersign-keys.json';
const TEXT_PATH = '/.well-known/countersign-keys.txt';

test('the public keys are published as JSON and as verifier keys', async () => {
  const { fetch } = await testApp({ env: { PUBLIC_URL: 'https://proof.example:8443/desk' } });
  const response = await fetch(JSON_PATH, { headers: { origin: 'https://elsewhere.example' } });
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('cache-control')).toContain('max-age');
  const { keys } = (await response.json()) as { keys: Record<string, string>[] };
  expect(keys).toHaveLength(1);
  const key = parseVerifierKey(keys[0]!['vkey']!);
  expect(key.name).toBe('proof.example:8443');
  expect(keys[0]).toMatchObject({
    keyId: noteKeyId(key),
    name: key.name,
    publicKey: Buffer.from(key.publicKey).toString('base64'),
    until: null,
  });
  const text = await (await fetch(TEXT_PATH)).text();
  expect(text).toBe(`${keys[0]!['vkey']}\n`);
  expect(JSON.stringify(keys)).not.toContain('privateKey');
});

test('the private key is encrypted in database and file; with another ENCRYPTION_KEY nothing is signed', async () => {
  const { app, database, fetch } = await testApp();
  const { chainId } = await makeChain(app, 3);
  await makeCheckpoint(app, chainId);
  const { rows } = await app.db.declared('acrossTenants').query('SELECT * FROM signing_key');
  expect(rows[0]!['private_key']).toMatch(/^v1\./);
  expect(await readFile(join(database.dataDir, 'signing-keys.sealed'), 'utf8')).toContain(
    rows[0]!['private_key'],
  );
  await expect(runAs(database.adminUrl, 'DELETE FROM signing_key')).rejects.toThrow('append-only');

  const env = { ENCRYPTION_KEY: 'another-secret-of-at-least-32-characters' };
  const other = await testApp({ database, env });
  await appendRecords(other.app, chainId, numbered(3, 2));
  await expect(makeCheckpoint(other.app, chainId)).rejects.toThrow('ENCRYPTION_KEY');
  expect((await (await fetch(TEXT_PATH)).text()).trim().split('\n')).toHaveLength(1);
});

test('concurrent callers create one key', async () => {
  const { app } = await testApp();
  const rings = await Promise.all(Array.from({ length: 8 }, () => openKeyring(app, 'localhost:4000')));
  expect(new Set(rings.map(({ keys }) => keys.map(({ publicKey }) => publicKey).join())).size).toBe(1);
});
