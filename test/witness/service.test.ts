import { mkdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openKeyring } from '../../src/domain/ledger/checkpoints/keys/change.ts';
import { signDueChains } from '../../src/domain/ledger/checkpoints/round.ts';
import { signedProof } from '../../src/domain/ledger/checkpoints/signed-proof.ts';
import { submitToWitnesses } from '../../src/domain/ledger/checkpoints/witnesses/submit.ts';
import { parseCheckpoint, parseWitnessKey, verifyCosignature } from '../../src/proof-kit/index.ts';
import { appendRecords, makeChain, numbered, recordHashes } from '../checkpoints/chains.ts';
import { testApp } from '../helpers/app.ts';
import { testDatabase } from '../helpers/database.ts';
import { eventually } from '../helpers/eventually.ts';
import { folder, startWitness } from './programs.ts';

const PUBLIC_URL = 'https://proof.example';

test('heads are cosigned, exports carry it; without the witness the service goes on, says so, and catches up', async () => {
  const database = await testDatabase();
  await mkdir(database.dataDir, { recursive: true });
  const first = await testApp({ database, env: { PUBLIC_URL } });
  const { keys } = await openKeyring(first.app, 'proof.example');
  await first.close();
  const state = await folder();
  const witness = await startWitness(state, [keys[0]!.vkey]);
  const env = { PUBLIC_URL, WITNESSES: `${witness.vkey} ${witness.url}` };
  const { app, fetch } = await testApp({ database, env });
  const key = parseWitnessKey(witness.vkey);
  const cosigned = async () => {
    const { note, size } = parseCheckpoint(await (await fetch('/log/checkpoint')).text());
    return { size, status: (await verifyCosignature(note, key)).status };
  };
  const checks = async () =>
    ((await (await fetch('/readyz')).json()) as { checks: Record<string, string> }).checks;

  const { chainId } = await makeChain(app, 3);
  await signDueChains(app);
  expect(await cosigned()).toMatchObject({ status: 'valid' });
  const hashes = await recordHashes(app, chainId);
  const place = { chainId, chainIndex: 1, chainHash: hashes[1]!.toString('hex') };
  const { head } = (await signedProof(app, place))!;
  expect((await verifyCosignature(parseCheckpoint(head!.checkpoint).note, key)).status).toBe('valid');
  expect(await checks()).toMatchObject({ signing: 'ok', witnesses: 'ok' });

  await witness.kill();
  await appendRecords(app, chainId, numbered(3, 2));
  expect((await signDueChains(app)).made).toBe(1);
  await appendRecords(app, chainId, numbered(5, 2));
  await signDueChains(app);
  expect(await checks()).toMatchObject({ signing: 'ok', witnesses: '0 of 1 cosign' });
  expect((await fetch('/readyz')).status).toBe(200);
  expect(await (await fetch('/metrics')).text()).toContain(`countersign_witness_up{witness="${key.name}"} 0`);
  // What was cosigned before still is, in documents of that time.
  expect(
    (await verifyCosignature(parseCheckpoint((await signedProof(app, place))!.head!.checkpoint).note, key))
      .status,
  ).toBe('valid');

  await startWitness(state, [keys[0]!.vkey], witness.port);
  await eventually(async () => {
    await submitToWitnesses(app);
    return (await cosigned()).status === 'valid' && (await checks())['witnesses'] === 'ok';
  }, 20_000);
}, 60_000);
