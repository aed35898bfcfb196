/** A witness that reads the entries of the log, and services with dishonest entries. */
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  cosign,
  joinEntries,
  parseCheckpoint,
  parseWitnessKey,
  verifyCosignature,
} from '@countersign/proof-kit';
import { describe, expect, test } from 'vitest';
import { openWitnessState } from '../../src/commands/witness/state.ts';
import { fakeService } from './fake-service.ts';
import { witnessHere } from './in-process.ts';
import { folder, startWitness } from './programs.ts';

async function post(url: string, body: string) {
  const response = await fetch(`${url}/add-checkpoint`, { method: 'POST', body });
  return { status: response.status, text: await response.text() };
}

async function evidenceIn(state: string) {
  const files = await readdir(join(state, 'evidence'));
  const texts = await Promise.all(files.map((file) => readFile(join(state, 'evidence', file), 'utf8')));
  return texts.map((text) => JSON.parse(text) as { origin: string; reason: string; notes: string[] });
}

const records = (count: number, name = 'record') => Array.from({ length: count }, (_, i) => `${name} ${i}`);

/** A service with two chains in its log, and a witness that has cosigned its first head. */
async function stage() {
  const service = await fakeService();
  await service.enter('1/proof', records(3));
  await service.enter('2/journal', records(5));
  await service.signHead();
  const witness = await witnessHere([`${service.vkey} ${service.url}`], 'friend.example');
  expect((await post(witness.url, await service.submission(0))).status).toBe(200);
  return { service, witness };
}

describe('a witness that reads the entries', () => {
  test('cosigns chains that only grow, and reads each bundle of entries once', async () => {
    const { service, witness } = await stage();
    await service.enter('1/proof', records(7));
    await service.enter('1/proof', records(7));
    await service.enter('3/audit', records(1));
    const head = await service.signHead();
    service.requests.length = 0;
    const { status, text } = await post(witness.url, await service.submission(2));
    expect([status, text]).toEqual([200, expect.stringMatching(/^\u2014 friend\.example /)]);
    const { note } = parseCheckpoint(head + text);
    expect((await verifyCosignature(note, witness)).status).toBe('valid');
    expect(service.requests.filter((path) => path.includes('/tile/'))).toEqual(['/log/tile/entries/000.p/5']);
    expect(service.requests.filter((path) => path.includes('/consistency'))).toHaveLength(1);
    expect(await evidenceIn(witness.folder)).toEqual([]);
  });

  const lies: Record<
    string,
    [lie: (service: Awaited<ReturnType<typeof fakeService>>) => Promise<void>, reason: RegExp]
  > = {
    'two histories of one chain at the same size': [
      async ({ enter }) => void (await enter('1/proof', records(3, 'other'))),
      /chains\/1\/proof was signed with two different histories of 3 records/,
    ],
    'a chain that shrinks': [
      async ({ enter }) => void (await enter('2/journal', records(4))),
      /chains\/2\/journal had 5 records and then 4/,
    ],
    'a chain rewritten as it grows': [
      async ({ enter }) => void (await enter('1/proof', [...records(2), 'forged', 'forged too'])),
      /chains\/1\/proof: the 4 records do not hold the 3 that were signed before/,
    ],
    'growth without a consistency proof': [
      async ({ enter, chains }) => {
        await enter('1/proof', records(9));
        chains.set('proof.example/chains/1/proof', null);
      },
      /cannot show that proof\.example\/chains\/1\/proof only grew from 3 records on/,
    ],
    'an entry that is not a checkpoint': [
      async ({ entries }) => void entries.push('anything'),
      /entry 2 of the log is not a checkpoint/,
    ],
    'other entries than the head covers': [
      async ({ enter, entries, shown }) => {
        await enter('1/proof', records(3, 'hidden'));
        // Signed by the service as well, and harmless.
        const harmless = entries[0]!;
        shown.set(
          'tile/entries/000.p/3',
          joinEntries([...entries.slice(0, 2), harmless].map((e) => Buffer.from(e))),
        );
      },
      /does not hold the one of 2 that was signed, or it shows other entries/,
    ],
  };
  test.each(Object.entries(lies))(
    'rejects %s, stores the evidence once, and rejects later heads',
    async (_, [lie, reason]) => {
      const { service, witness } = await stage();
      await lie(service);
      const head = await service.signHead();
      for (let attempt = 0; attempt < 2; attempt++) {
        const { status, text } = await post(witness.url, await service.submission(2));
        expect([status, text]).toEqual([422, expect.stringMatching(reason)]);
      }
      const [evidence, ...more] = await evidenceIn(witness.folder);
      expect(more).toEqual([]);
      expect(evidence).toMatchObject({ origin: 'proof.example/log', reason: expect.stringMatching(reason) });
      expect(evidence!.notes).toContain(head);
      // The contradiction stays in the log: no later head is cosigned either.
      service.shown.clear();
      await service.enter('5/proof', records(1));
      await service.signHead();
      expect((await post(witness.url, await service.submission(2))).status).toBe(422);
    },
  );

  test('that does not read entries cosigns the same head', async () => {
    const { service } = await stage();
    await service.enter('1/proof', records(3, 'other'));
    await service.signHead();
    const blind = await witnessHere([service.vkey], 'blind.example');
    expect((await post(blind.url, await service.submission(0))).status).toBe(200);
  });

  test('returns 503 while the log cannot be read, and stores no evidence', async () => {
    const { service } = await stage();
    const elsewhere = await witnessHere([`${service.vkey} http://127.0.0.1:9`], 'away.example');
    const { status, text } = await post(elsewhere.url, await service.submission(0));
    expect([status, text]).toEqual([503, expect.stringContaining('cannot be reached')]);
    expect(await evidenceIn(elsewhere.folder)).toEqual([]);
  });

  test('restored from a backup, refuses to sign a possible second view', async () => {
    const { service, witness } = await stage();
    const backup = await folder();
    await cp(witness.folder, backup, { recursive: true });
    await service.enter('1/proof', records(4));
    const head = await service.signHead();
    const { text: line } = await post(witness.url, await service.submission(2));
    // The service publishes the head with the cosignature.
    await service.signHead({ cosignatures: line });
    expect(parseCheckpoint(head).size).toBe(3);
    await witness.leave();

    const restored = await startWitness(backup, [`${service.vkey} ${service.url}`]);
    expect(restored.vkey).toBe(witness.vkey);
    const { status, text } = await post(restored.url, await service.submission(2));
    expect([status, text]).toEqual([
      503,
      expect.stringMatching(/has cosigned 3 entries .* its state has 2: it was restored/),
    ]);
    // A cosignature forged under its name is no evidence against it.
    const key = parseWitnessKey(restored.vkey);
    const { note } = parseCheckpoint(head);
    const forged = await cosign(note.text, 1_800_000_000, key, () => new Uint8Array(64));
    await service.signHead({ cosignatures: forged });
    expect((await post(restored.url, await service.submission(2))).status).toBe(200);
  });

  test('killed before it stored what it read, reads it again', async () => {
    const { service } = await stage();
    const state = await folder();
    const witness = await startWitness(state, [`${service.vkey} ${service.url}`]);
    expect((await post(witness.url, await service.submission(0))).status).toBe(200);
    await witness.kill();
    // As after a crash between the two files: the checkpoint is newer than the entries read.
    const kept = await openWitnessState(state, undefined);
    await kept.keepFollowed('proof.example/log', '{"size":0,"subtrees":[],"chains":{}}\n');
    const again = await startWitness(state, [`${service.vkey} ${service.url}`]);
    await service.enter('1/proof', records(3, 'other'));
    await service.signHead();
    const { status, text } = await post(again.url, await service.submission(2));
    expect([status, text]).toEqual([422, expect.stringMatching(/two different histories of 3 records/)]);
  });
});
