import { expect, test } from 'vitest';
import { makeCheckpoint } from '../../src/domain/ledger/checkpoints/make.ts';
import { currentSigner } from '../../src/domain/ledger/checkpoints/signing-key.ts';
import { noteKeyId, parseVerifierKey } from '../../src/proof-kit/index.ts';
import { testApp } from '../helpers/app.ts';
import { appendRecords, makeChain, numbered, rewriteFrom, tamper } from './chains.ts';

const JSON_PATH = '/.well-known/countersign-keys.json';
const TEXT_PATH = '/.well-known/countersign-keys.txt';

test('the public keys are there for everybody, as JSON and as verifier keys', async () => {
  const { app, fetch } = await testApp({ env: { PUBLIC_URL: 'https://proof.example:8443/desk' } });
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
  expect((await currentSigner(app)).publicKey).toBe(keys[0]!['publicKey']);
  const text = await (await fetch(TEXT_PATH)).text();
  expect(text).toBe(`${keys[0]!['vkey']}\n`);
  expect(JSON.stringify(keys)).not.toContain('privateKey');
});

test('the private half is encrypted; after a change of the secret a new key signs beside the old one', async () => {
  const { app, database, fetch } = await testApp();
  const { chainId } = await makeChain(app, 3);
  await makeCheckpoint(app, chainId);
  const { rows } = await app.db.pool.query('SELECT * FROM signing_key');
  expect(rows[0].private_key).toMatch(/^v1\./);
  await expect(app.db.pool.query('DELETE FROM signing_key')).rejects.toThrow('append-only');

  const env = { ENCRYPTION_KEY: 'another-secret-of-at-least-32-characters' };
  const other = await testApp({ database, env });
  await appendRecords(other.app, chainId, numbered(3, 2));
  const { keyId } = (await makeCheckpoint(other.app, chainId))!;
  expect(keyId).not.toBe(rows[0].id);
  expect((await (await fetch(TEXT_PATH)).text()).trim().split('\n')).toHaveLength(2);
  // What the old key signed binds the new one.
  await rewriteFrom(database.adminUrl, chainId, 1);
  await tamper(
    database.adminUrl,
    ['DELETE FROM ledger_node'],
    [`DELETE FROM checkpoint WHERE key_id = $1`, [keyId]],
  );
  await appendRecords(other.app, chainId, numbered(5, 1));
  await expect(makeCheckpoint(other.app, chainId)).rejects.toThrow();
});

test('of many who need the key at once, one makes it', async () => {
  const { app } = await testApp();
  const signers = await Promise.all(Array.from({ length: 8 }, () => currentSigner(app)));
  expect(new Set(signers.map(({ publicKey }) => publicKey)).size).toBe(1);
});
