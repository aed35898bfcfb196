import { expect, test } from 'vitest';
import { openKeyring } from '../../src/domain/ledger/keys/change.ts';
import { signDueChains } from '../../src/domain/ledger/signing/round.ts';
import { submitToWitnesses } from '../../src/domain/ledger/witnesses/submit.ts';
import { testApp } from '../helpers/app.ts';
import { makeActor, makeStage, makeToken } from '../helpers/world.ts';
import { witnessHere } from '../witness/in-process.ts';
import { appendRecords, makeChain, numbered, tamper } from './chains.ts';

const HEAD_LOG = `{ headLog {
  origin size rootHash signedAt note signing refusedBecause refusedSince
  witnesses { name vkey url cosignedSize cosignedAt lastError current }
  keys { keyId name from until signs vouched signedBy }
} }`;
const CHAINS = `{ chains {
  domain origin length headHash unsigned lastCheckpoint { size rootHash keyId domain }
} }`;

test('a platform admin sees head, witnesses, keys and the signing state', async () => {
  const first = await testApp({ env: { PUBLIC_URL: 'https://proof.example' } });
  const { keys } = await openKeyring(first.app, 'proof.example');
  await first.close();
  const witness = await witnessHere([keys[0]!.vkey], 'friend.example');
  const env = { PUBLIC_URL: 'https://proof.example', WITNESSES: witness.pair };
  const { app, graphql, database } = await testApp({ env, database: first.database });
  const admin = await makeToken(app, (await makeActor(app, { platformAdmin: true })).id, null);
  const headLog = async () => (await graphql(HEAD_LOG, {}, admin)).data.headLog;

  const nothingYet = { origin: 'proof.example/log', size: 0, signedAt: null, note: null, signing: 'OK' };
  expect(await headLog()).toMatchObject(nothingYet);

  const { chainId } = await makeChain(app, 3);
  const { head } = await signDueChains(app);
  // A round of signing waits for the witnesses only briefly.
  await submitToWitnesses(app);
  const well = { name: 'friend.example', cosignedSize: head.size, lastError: null, current: true };
  expect(await headLog()).toMatchObject({
    size: head.size,
    rootHash: head.rootHash,
    note: expect.stringContaining('\u2014 friend.example '),
    signedAt: head.createdAt.toISOString(),
    signing: 'OK',
    refusedBecause: null,
    refusedSince: null,
    witnesses: [{ ...well, vkey: witness.vkey, url: witness.url, cosignedAt: expect.any(String) }],
    keys: [{ keyId: keys[0]!.keyId, name: 'proof.example', until: null, signs: true, vouched: true }],
  });

  await witness.leave();
  await appendRecords(app, chainId, numbered(3, 2));
  await signDueChains(app);
  await submitToWitnesses(app);
  const [away] = (await headLog()).witnesses;
  expect(away).toMatchObject({ cosignedSize: head.size, lastError: expect.any(String), current: false });

  await tamper(database.adminUrl, ["UPDATE log_head SET note = replace(note, 'proof', 'prooF')"]);
  await expect(signDueChains(app)).rejects.toThrow();
  expect(await headLog()).toMatchObject({
    signing: 'REFUSED',
    refusedBecause: expect.stringContaining('head'),
    refusedSince: expect.any(String),
  });

  const { token } = await makeStage(app);
  const refused = await graphql(HEAD_LOG, {}, token);
  expect(refused.errors?.[0]?.extensions.code).toBe('INSUFFICIENT_ROLE');
});

test('an ADMIN sees the chains of their own center with heads and newest checkpoints', async () => {
  const { app, graphql } = await testApp({ env: { PUBLIC_URL: 'https://proof.example' } });
  const { center, token } = await makeStage(app);
  await makeChain(app, 7);
  const chain = async (domain: string) => {
    const { data } = await graphql(CHAINS, {}, token);
    expect(data.chains.map((each: { domain: string }) => each.domain)).toEqual([
      'platform',
      'proof',
      'audit',
      'journal',
    ]);
    return data.chains.find((each: { domain: string }) => each.domain === domain);
  };
  const nothing = { origin: null, length: 0, headHash: null, unsigned: 0, lastCheckpoint: null };
  expect(await chain('proof')).toMatchObject(nothing);

  const { rows } = await app.db
    .declared('acrossTenants')
    .query<{ id: number }>('SELECT ledger_chain_for($1, $2) AS id', [center.id, 'proof']);
  await appendRecords(app, rows[0]!.id, numbered(0, 5));
  await signDueChains(app);
  await appendRecords(app, rows[0]!.id, numbered(5, 2));
  expect(await chain('proof')).toMatchObject({
    origin: `proof.example/chains/${center.id}/proof`,
    length: 7,
    headHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    unsigned: 2,
    lastCheckpoint: { size: 5, domain: 'proof' },
  });
});
