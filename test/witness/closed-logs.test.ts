/** Services that close their log after a loss: what witnesses and monitors follow, and what they refuse. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkOnce } from '@countersign/auditor/monitor/check-once';
import { readOptions } from '@countersign/auditor/monitor/options';
import { formatClosing, parseClosing, signNote } from '@countersign/proof-kit';
import { describe, expect, test } from 'vitest';
import { makeAddCheckpoint } from '../../src/commands/witness/add-checkpoint.ts';
import { readLogs } from '../../src/commands/witness/logs.ts';
import { openWitnessState } from '../../src/commands/witness/state.ts';
import { signerFromSeed } from '../vectors/signer.ts';
import { fakeService } from './fake-service.ts';
import { acceptLoss, folder, startWitness } from './programs.ts';

async function post(url: string, body: string) {
  const response = await fetch(`${url}/add-checkpoint`, { method: 'POST', body });
  return { status: response.status, text: await response.text() };
}

const evidenceOf = async (state: string) => {
  const files = await readdir(join(state, 'evidence'));
  const texts = await Promise.all(files.map((file) => readFile(join(state, 'evidence', file), 'utf8')));
  return texts.map((text) => (JSON.parse(text) as { reason: string }).reason);
};

const records = (count: number, name = 'record') => Array.from({ length: count }, (_, i) => `${name} ${i}`);
type Service = Awaited<ReturnType<typeof fakeService>>;

/** A service with two chains in its log, and a witness and a monitor that saw its first head. */
async function stage(more: string[] = []) {
  const service = await fakeService();
  await service.enter('1/proof', records(3));
  await service.enter('2/journal', records(5));
  const head = await service.signHead();
  const state = await folder();
  const logs = [`${service.vkey} ${service.url}`];
  const witness = await startWitness(state, logs, 0, more);
  expect((await post(witness.url, await service.submission(0))).status).toBe(200);
  const monitorState = join(await folder(), 'monitor.json');
  const monitor = async (...args: string[]) => {
    const options = readOptions(['--url', service.url, '--state', monitorState, ...args], {});
    const { code, text } = await checkOnce(options as Exclude<typeof options, 'help'>);
    return { code, text };
  };
  expect((await monitor()).code).toBe(0);
  const submit = async (from = 0) => post(witness.url, await service.submission(from));
  const restart = async () => {
    await witness.kill();
    Object.assign(witness, await startWitness(state, logs, 0, more));
  };
  return { service, state, witness, monitor, submit, restart, head };
}

/** The chain 1/proof lost its third record, and has another one in its place. */
async function lose(service: Service, closing: Parameters<Service['closeLog']>[0] = {}): Promise<string> {
  const digest = await service.closeLog({ lost: [['1/proof', 3, 2]], ...closing });
  await service.enter('1/proof', [...records(2), 'in its place']);
  await service.enter('2/journal', records(6));
  await service.signHead();
  return digest;
}

test.each([
  ['that reads entries', []],
  ['for heads only', ['--heads-only']],
] as [string, string[]][])(
  'a witness %s cosigns the next log once its operator accepts the loss, and never again the closed one',
  async (_, more) => {
    const { service, state, witness, submit, restart } = await stage(more);
    await service.enter('1/proof', records(4));
    await service.signHead();
    const later = await service.submission(2);
    service.entries.pop();
    const digest = await lose(service);
    for (const run of [1, 2]) {
      const refused = { status: 422, text: expect.stringContaining(digest) };
      expect([run, await submit()]).toMatchObject([run, refused]);
      await restart();
    }
    expect(await evidenceOf(state)).toEqual([]);
    const accepted = await acceptLoss(state, digest);
    expect(accepted).toMatchObject({
      code: 0,
      text: expect.stringMatching(
        /^accepted: proof\.example\/log ends at 2 entries .*A disk failed\.\n {2}proof\.example\/chains\/1\/proof: 3 .* 2 are left\n$/,
      ),
    });
    // Accepted, though no head of the next log was cosigned yet: the closed log is over.
    expect(await post(witness.url, later)).toMatchObject({
      status: 422,
      text: expect.stringContaining('was closed, which this witness has accepted'),
    });
    expect(await submit()).toMatchObject({ status: 200 });
    await restart();
    expect(await post(witness.url, later)).toMatchObject({
      status: 422,
      text: expect.stringContaining('cosigns proof.example/log/2 and no log before it'),
    });
    await service.enter('2/journal', records(7));
    await service.signHead();
    expect(await submit(2)).toMatchObject({ status: 200 });
  },
  90_000,
);

test('a monitor follows to the next log once the loss is accepted, and keeps what it knows of the chains', async () => {
  const { service, monitor } = await stage();
  const digest = await lose(service);
  const closed = expect.stringMatching(
    new RegExp(`^CLOSED: proof\\.example/log on .*: 2 entries were signed, 1 chains .*, digest ${digest}\n`),
  );
  expect(await monitor()).toEqual({ code: 1, text: closed });
  expect(await monitor('--accept-loss', 'f'.repeat(64))).toEqual({ code: 1, text: closed });
  expect(await monitor('--accept-loss', digest)).toEqual({ code: 0, text: closed });
  expect(await monitor()).toEqual({ code: 0, text: closed });
  await service.enter('2/journal', records(4));
  await service.signHead();
  expect(await monitor()).toMatchObject({
    code: 1,
    text: expect.stringContaining('chains/2/journal had 6 records and then 4'),
  });
});

test('a loss can be accepted before the witness has seen its statement; then its log is closed at once', async () => {
  const { service, state, witness, submit } = await stage();
  await service.enter('2/journal', records(6));
  await service.signHead();
  const later = await service.submission(2);
  service.entries.pop();
  const digest = await lose(service);
  expect((await acceptLoss(state, digest)).text).toContain('has not read this statement yet');
  expect((await post(witness.url, later)).status).toBe(422);
  expect((await submit()).status).toBe(200);
  expect(await acceptLoss(state, 'nonsense')).toMatchObject({ code: 2 });
  expect(await acceptLoss(await folder(), digest)).toMatchObject({ code: 1 });
});

test('a witness that is killed while it follows to the next log still knows the chains of the closed one', async () => {
  const { service, state, witness } = await stage();
  const digest = await lose(service, { lost: [] });
  // A history that differs from the one in the closed log comes later.
  service.entries.splice(0);
  await service.enter('3/audit', records(1));
  await service.signHead();
  await acceptLoss(state, digest);
  await witness.kill();
  const logs = readLogs([`${service.vkey} ${service.url}`], false);
  const now = () => Math.floor(Date.now() / 1_000);
  for (let writes = 0; writes < 3; writes++) {
    const opened = await openWitnessState(state, undefined);
    let left = writes;
    const dieAfter =
      <T extends unknown[]>(write: (...args: T) => Promise<void>) =>
      async (...args: T) => {
        if (left-- === 0) throw new Error('killed');
        await write(...args);
      };
    const dying = { ...opened, keep: dieAfter(opened.keep), keepFollowed: dieAfter(opened.keepFollowed) };
    const asked = makeAddCheckpoint(dying, logs, now)(await service.submission(0));
    if (writes === 0) expect(await asked).toMatchObject({ status: 503 });
    else await expect(asked).rejects.toThrow('killed');
  }
  await service.enter('1/proof', [...records(2), 'rewritten']);
  await service.signHead();
  const add = makeAddCheckpoint(await openWitnessState(state, undefined), logs, now);
  expect(await add(await service.submission(1))).toMatchObject({
    status: 422,
    body: expect.stringContaining('signed with two different histories of 3 records'),
  });
});

test('a witness without history, and one without an address, cosign no later log by themselves', async () => {
  const service = await fakeService();
  await service.enter('1/proof', records(1));
  await service.signHead();
  const first = await service.closeLog();
  await service.enter('1/proof', records(2));
  await service.signHead();
  const second = await service.closeLog();
  await service.enter('1/proof', records(3));
  await service.signHead();
  const [state, bareState] = [await folder(), await folder()];
  const [fresh, bare] = [
    await startWitness(state, [`${service.vkey} ${service.url}`]),
    await startWitness(bareState, [service.vkey]),
  ];
  const body = await service.submission(0);
  expect(await post(fresh.url, body)).toMatchObject({
    status: 422,
    text: expect.stringContaining(`digest ${second} ${first}: not accepted`),
  });
  await acceptLoss(state, second);
  expect(await post(fresh.url, body)).toMatchObject({
    status: 422,
    text: expect.stringContaining(`digest ${first}: not accepted`),
  });
  await acceptLoss(state, first);
  expect((await post(fresh.url, body)).status).toBe(200);
  const unknown = { status: 404, text: expect.stringContaining('has no address of the service') };
  expect(await post(bare.url, body)).toMatchObject(unknown);
  for (const digest of [first, second]) {
    await acceptLoss(bareState, digest);
    expect(await post(bare.url, body)).toMatchObject(unknown);
  }
  expect(await acceptLoss(bareState, 'f'.repeat(64), '--url', service.url)).toMatchObject({ code: 1 });
  for (const digest of [first, second])
    expect(await acceptLoss(bareState, digest, '--url', service.url)).toMatchObject({ code: 0 });
  expect((await post(bare.url, body)).status).toBe(200);
});

describe('an operator cannot use a declared loss to rewrite history', () => {
  const other = signerFromSeed(8);
  /** What the service does, and the words in which witnesses and monitors refuse it. */
  const attacks: Record<string, [attack: (service: Service) => Promise<string>, reason: RegExp]> = {
    'a second log without a statement': [
      (service) => lose(service, { isStated: false }),
      /no signed statement closes proof\.example\/log/,
    ],
    'a later number without the ones before': [
      async (service) => {
        const digest = await service.closeLog();
        await service.closeLog({ isStated: false });
        await service.closeLog();
        await service.enter('1/proof', records(3, 'other'));
        await service.signHead();
        return digest;
      },
      /no signed statement closes proof\.example\/log\/2/,
    ],
    'a statement by a foreign key': [
      (service) => lose(service, { by: other }),
      /no signed statement closes proof\.example\/log/,
    ],
    'two statements about one log': [
      async (service) => {
        const digest = await lose(service, { reason: 'A disk failed.' });
        const [first] = service.closings;
        const again = formatClosing({ ...parseClosing(first)!, reason: 'Another reason.' });
        const { sign, keyNamed } = service.signer;
        const note = await signNote(again.text, keyNamed('proof.example'), sign);
        service.closings.push({ note, statement: again.statement });
        return digest;
      },
      /two statements close proof\.example\/log/,
    ],
    'a statement that ends before the last head': [
      (service) => lose(service, { size: 1 }),
      /was closed at 1 entries, after 2 had been signed/,
    ],
    'a statement with another last head': [
      (service) => lose(service, { root: new Uint8Array(32) }),
      /the last head of proof\.example\/log does not hold the 2 entries/,
    ],
    'a larger last head of another history': [
      async (service) => {
        await service.enter('1/proof', records(3, 'other'));
        await service.enter('2/journal', records(5, 'other'));
        service.entries.splice(0, 2);
        await service.enter('1/proof', records(4, 'other'));
        return lose(service);
      },
      /the last head of proof\.example\/log does not hold the 2 entries/,
    ],
    'a chain that shrinks without being named': [
      (service) => lose(service, { lost: [] }),
      /chains\/1\/proof was signed with two different histories of 3 records/,
    ],
    'a chain with fewer records than are left': [
      async (service) => {
        const digest = await service.closeLog({ lost: [['1/proof', 3, 2]] });
        await service.enter('1/proof', records(1));
        await service.signHead();
        return digest;
      },
      /chains\/1\/proof continues from 2 records after a loss, and was signed with 1/,
    ],
    'a statement that admits fewer records than were signed': [
      (service) => lose(service, { lost: [['1/proof', 2, 1]] }),
      /the statement says that proof\.example\/chains\/1\/proof had 2 records, and 3 were signed/,
    ],
  };

  test.each(Object.entries(attacks))(
    '%s is refused, whatever was accepted, and kept as evidence',
    async (_, [attack, reason]) => {
      const { service, state, submit, monitor } = await stage();
      const digest = await attack(service);
      for (const closing of service.closings) await acceptLoss(state, parseClosing(closing)!.digest);
      await acceptLoss(state, digest);
      expect(await submit()).toMatchObject({ status: 422, text: expect.stringMatching(reason) });
      expect(await evidenceOf(state)).toEqual([expect.stringMatching(reason)]);
      const accepted = service.closings.map((closing) => parseClosing(closing)!.digest);
      const args = [digest, ...accepted].flatMap((each) => ['--accept-loss', each]);
      expect(await monitor(...args)).toMatchObject({ code: 1, text: expect.stringMatching(/^FORKED: /) });
      expect(await monitor()).toMatchObject({ code: 1, text: expect.stringMatching(reason) });
    },
    90_000,
  );
});
