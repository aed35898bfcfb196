/** The monitor, and services that show something other than they signed. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkOnce } from '@countersign/auditor/monitor/check-once';
import { readOptions } from '@countersign/auditor/monitor/options';
import { cosign, formatWitnessKey, joinEntries, parseCheckpoint } from '@countersign/proof-kit';
import { describe, expect, test } from 'vitest';
import { signerFromSeed } from '../vectors/signer.ts';
import { fakeService } from './fake-service.ts';
import { folder } from './programs.ts';

const records = (count: number, name = 'record') => Array.from({ length: count }, (_, i) => `${name} ${i}`);

/** A service with two chains in its log, and a monitor that has seen its first head. */
async function stage() {
  const service = await fakeService();
  await service.enter('1/proof', records(3));
  await service.enter('2/journal', records(5));
  await service.signHead();
  const state = join(await folder(), 'state.json');
  const monitor = (...more: string[]) => {
    const options = readOptions(['--url', service.url, '--state', state, ...more], {});
    return checkOnce(options as Exclude<typeof options, 'help'>);
  };
  const kept = async () =>
    JSON.parse(await readFile(state, 'utf8')) as {
      evidence: { reason: string; notes: string[] }[];
      alarm?: { reason: string; notes: string[] };
    };
  expect(await monitor()).toMatchObject({ code: 0 });
  return { service, monitor, kept };
}

describe('the monitor', () => {
  test('continues from the tree it has read, and fetches each tile once', async () => {
    const { service, monitor } = await stage();
    await service.enter('1/proof', records(9));
    await service.signHead();
    service.requests.length = 0;
    expect(await monitor()).toMatchObject({ code: 0, found: { entries: 3, chains: 2 } });
    expect(service.requests.filter((path) => path.includes('/tile/'))).toEqual(['/log/tile/entries/000.p/3']);
    service.requests.length = 0;
    expect(await monitor()).toMatchObject({ code: 0 });
    expect(service.requests.filter((path) => path.includes('/tile/'))).toEqual([]);
  });

  test('detects entries that are not in the signed log, and reports the fork again later', async () => {
    const { service, monitor, kept } = await stage();
    // Signed: a second history of a chain. Shown: a harmless entry, signed by the service as well.
    await service.enter('1/proof', records(3, 'hidden'));
    const harmless = service.entries[0]!;
    const bundle = [...service.entries.slice(0, 2), harmless].map((entry) => Buffer.from(entry));
    service.shown.set('tile/entries/000.p/3', joinEntries(bundle));
    const head = await service.signHead();
    expect(await monitor()).toMatchObject({
      code: 1,
      text: expect.stringMatching(/does not hold the one of 2 that was signed, or it shows other entries/),
    });
    expect((await kept()).evidence[0]!.notes).toContain(head);
    service.shown.clear();
    expect(await monitor()).toMatchObject({ code: 1, text: expect.stringContaining('FORKED before') });
  });

  test('detects two histories of one chain in one log', async () => {
    const { service, monitor, kept } = await stage();
    const other = await service.enter('1/proof', records(3, 'other'));
    await service.signHead();
    expect(await monitor()).toMatchObject({
      code: 1,
      text: expect.stringContaining('signed with two different histories of 3 records'),
    });
    expect((await kept()).evidence[0]!.notes).toEqual(expect.arrayContaining([service.entries[0], other]));
  });

  test('accepts a key rotation, and rejects a head signed by a retired key', async () => {
    const { service, monitor } = await stage();
    const next = signerFromSeed(2);
    await service.addKeyLine(service.signer, 'added', next);
    await service.addKeyLine(next, 'retired', service.signer);
    await service.enter('1/proof', records(4), next);
    await service.signHead({ by: next });
    expect(await monitor()).toMatchObject({ code: 0 });
    await service.enter('1/proof', records(5), next);
    const head = await service.signHead({ by: service.signer });
    expect(parseCheckpoint(head).size).toBe(4);
    expect(await monitor()).toMatchObject({
      code: 1,
      text: expect.stringMatching(/the head of the log is signed by a key that was retired 20/),
    });
  });

  test('accepts a head of a retired key that a trusted witness saw before', async () => {
    const { service, monitor } = await stage();
    const witness = signerFromSeed(5);
    const key = witness.keyNamed('friend.example');
    const next = signerFromSeed(2);
    await service.addKeyLine(service.signer, 'added', next);
    await service.addKeyLine(next, 'retired', service.signer);
    await service.enter('1/proof', records(4));
    const { note } = parseCheckpoint(await service.signHead());
    const seconds = Math.floor(Date.now() / 1_000);
    const early = await cosign(note.text, seconds - 100, key, witness.sign);
    await service.signHead({ cosignatures: early });
    expect(await monitor('--witness', formatWitnessKey(key))).toMatchObject({ code: 0 });
    await service.enter('1/proof', records(5));
    await service.signHead({ cosignatures: '' });
    expect(await monitor()).toMatchObject({ code: 1 });
  });

  test('detects a key history that was rewritten or is invalid', async () => {
    for (const rewrite of [
      async ({ history }: Awaited<ReturnType<typeof fakeService>>) => void history.pop(),
      async ({ history, addKeyLine, signer }: Awaited<ReturnType<typeof fakeService>>) => {
        history.length = 0;
        await addKeyLine(signer, 'added', signer, '2026-02-02T00:00:00.000Z');
      },
    ]) {
      const { service, monitor, kept } = await stage();
      const [line] = service.history;
      await rewrite(service);
      expect(await monitor()).toMatchObject({
        code: 1,
        text: expect.stringContaining(
          'the key history was rewritten: line 1 is not what was published before',
        ),
      });
      expect((await kept()).evidence[0]!.notes).toContain(line);
    }
    const { service, monitor } = await stage();
    const thief = signerFromSeed(9);
    await service.addKeyLine(thief, 'added', signerFromSeed(8));
    expect(await monitor()).toMatchObject({
      code: 1,
      text: expect.stringContaining('the published key history does not hold: line 2'),
    });
  });

  test('alarms on a missing quorum of keys or an old head, and clears the alarm when resolved', async () => {
    const { service, monitor, kept } = await stage();
    const [one, two] = [signerFromSeed(5), signerFromSeed(6)];
    const first = one.keyNamed('one.example');
    const again = one.keyNamed('another-name.example');
    const second = two.keyNamed('two.example');
    const { note } = parseCheckpoint(await service.signHead());
    const seconds = Math.floor(Date.now() / 1_000);
    const line = (key: typeof first, by: typeof one, at = seconds) => cosign(note.text, at, key, by.sign);
    const [a, b, c] = [
      await line(first, one),
      await line(again, one),
      await line(second, two, seconds - 900),
    ];
    const named = ['--witness', ...[first, again, second].map(formatWitnessKey)];
    await service.signHead({ cosignatures: a + b });
    expect(await monitor(...named)).toMatchObject({
      code: 1,
      text: expect.stringMatching(
        /ALARM: the head of the log is cosigned by 1 witnesses .*; 2 are asked for/,
      ),
    });
    expect((await kept()).alarm!.notes).toHaveLength(2);
    expect((await kept()).evidence).toEqual([]);
    await service.signHead({ cosignatures: a + b + c });
    expect(await monitor(...named)).toMatchObject({ code: 0 });
    expect(await kept()).not.toHaveProperty('alarm');
    expect(await monitor('--witness', formatWitnessKey(second), '--max-age', '600')).toMatchObject({
      code: 1,
      text: expect.stringMatching(/the head of the log is 9\d\d seconds old; at most 600 are allowed/),
    });
    expect(await monitor(...named, '--max-age', '600')).toMatchObject({ code: 0 });
    const wrong = await cosign(note.text, seconds, second, one.sign);
    await service.signHead({ cosignatures: a + wrong });
    expect(await monitor(...named)).toMatchObject({
      code: 1,
      text: expect.stringContaining('FORKED: the cosignature of two.example is wrong'),
    });
    for (const bad of [
      ['--quorum', '1'],
      ['--max-age', 'soon'],
      [...named, '--quorum', '3'],
    ])
      expect(() => readOptions(['--url', service.url, '--state', 'x', ...bad], {})).toThrow(
        /--quorum|--max-age/,
      );
  });
});
