import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  consistencyPlan,
  formatVerifierKey,
  growTree,
  parseCheckpoint,
  parseWitnessKey,
  resolvePlan,
  signCheckpoint,
  treeRoot,
  verifyCosignature,
} from '@countersign/proof-kit';
import { describe, expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { signerFromSeed } from '../vectors/signer.ts';
import { folder, startWitness } from './programs.ts';

const ORIGIN = 'proof.example/log';
const signer = signerFromSeed(1);
const vkey = formatVerifierKey(signer.keyNamed('proof.example'));
const none = () => {
  throw new Error('nothing is stored');
};

/** A log whose every state is available, and another one that forks from it. */
function makeLog(entries: number, seed: string) {
  const leaves = Array.from({ length: entries }, (_, i) =>
    Buffer.from(i < 5 ? `entry ${i}` : `${seed} ${i}`),
  );
  const nodes = new Map(
    growTree(0, leaves, none).map(({ level, index, hash }) => [`${level}/${index}`, hash]),
  );
  const lookup = (level: number, index: number) => nodes.get(`${level}/${index}`)!;
  const note = (size: number, by = signer) =>
    signCheckpoint(
      { origin: ORIGIN, size, root: treeRoot(size, lookup) },
      by.keyNamed('proof.example'),
      by.sign,
    );
  const proof = (from: number, to: number) =>
    resolvePlan(consistencyPlan(from, to), lookup)
      .map((hash) => `${Buffer.from(hash).toString('base64')}\n`)
      .join('');
  const body = async (from: number, to: number) => `old ${from}\n${proof(from, to)}\n${await note(to)}`;
  return { note, proof, body };
}

const log = makeLog(64, 'honest');
const fork = makeLog(64, 'forked');

describe('the witness', () => {
  const stage = async () => {
    const state = await folder();
    const elsewhere = formatVerifierKey(signerFromSeed(3).keyNamed('elsewhere.example'));
    const witness = await startWitness(state, [elsewhere, vkey]);
    const post = async (body: string, url = witness.url) => {
      const response = await fetch(`${url}/add-checkpoint`, { method: 'POST', body });
      return {
        status: response.status,
        type: response.headers.get('content-type'),
        text: await response.text(),
      };
    };
    return { state, witness, post, key: parseWitnessKey(witness.vkey) };
  };

  test('publishes its key, and cosigns a log that only grows', async () => {
    const { state, witness, post, key } = await stage();
    expect(await readFile(join(state, 'witness.vkey'), 'utf8')).toBe(`${witness.vkey}\n`);
    expect(await (await fetch(`${witness.url}/`)).text()).toBe(`${witness.vkey}\n`);
    for (const [from, to] of [
      [0, 3],
      [3, 3],
      [3, 20],
      [20, 64],
    ] as const) {
      const { status, text } = await post(await log.body(from, to));
      expect(status).toBe(200);
      const { note } = parseCheckpoint((await log.note(to)) + text);
      expect((await verifyCosignature(note, key)).status).toBe('valid');
    }
  });

  test('returns the status codes of the protocol', async () => {
    const { post } = await stage();
    const status = async (body: string) => (await post(body)).status;
    expect(await status('nonsense')).toBe(400);
    expect(await status(await log.body(0, 8))).toBe(200);
    expect(await post(await log.body(0, 20))).toEqual({ status: 409, type: 'text/x.tlog.size', text: '8\n' });
    expect(await status(`old 9\n\n${await log.note(8)}`)).toBe(400);
    expect(await status(`old 8\n\n${await log.note(20)}`)).toBe(422);
    expect(await status(`old 8\n${fork.proof(8, 20)}\n${await fork.note(20)}`)).toBe(422);
    // A hash of another length is not a line of a proof.
    expect(await status(`old 8\nAAAA\n\n${await log.note(20)}`)).toBe(400);
    expect(await post(`old 8\n\n${await fork.note(8)}`)).toEqual({
      status: 422,
      type: 'text/plain; charset=utf-8',
      text: 'another tree of this size was cosigned before\n',
    });
    expect(await status(`old 8\n${log.proof(8, 20)}\n${await log.note(20, signerFromSeed(2))}`)).toBe(403);
    expect(await status((await log.body(8, 20)).replace(ORIGIN, 'other.example/log'))).toBe(404);
    expect(await status(await log.body(8, 20))).toBe(200);
  });

  test('killed at any time under load, has never signed two views and continues from its state', async () => {
    const state = await folder();
    /** Every cosignature ever returned, by size. */
    const roots = new Map<number, Set<string>>();
    let known = 0;
    let answered = 0;
    let vkeys = new Set<string>();
    for (let life = 0; life < 6; life++) {
      const witness = await startWitness(state, [vkey]);
      vkeys = vkeys.add(witness.vkey);
      const key = parseWitnessKey(witness.vkey);
      let alive = true;
      const push = async (source: typeof log) => {
        while (alive) {
          const to = Math.min(64, known + 1);
          const response = await fetch(`${witness.url}/add-checkpoint`, {
            method: 'POST',
            body: await source.body(Math.min(known, to), to),
          }).catch(() => null);
          if (!response) return;
          const text = await response.text().catch(() => '');
          if (response.headers.get('content-type') === 'text/x.tlog.size') known = Number(text);
          if (response.status !== 200) continue;
          const checkpoint = parseCheckpoint((await source.note(to)) + text);
          expect((await verifyCosignature(checkpoint.note, key)).status).toBe('valid');
          const seen = roots.get(to) ?? new Set();
          roots.set(to, seen.add(Buffer.from(checkpoint.root).toString('hex')));
          known = Math.max(known, to);
          answered++;
        }
      };
      const pushing = Promise.all([push(log), push(fork), push(log), push(fork)]);
      const enough = answered + 3 + life;
      await eventually(() => answered >= enough || known === 64);
      // Requests are in progress while it dies.
      await witness.kill();
      alive = false;
      await pushing;
      // A client without knowledge: the witness returns its size.
      known = 0;
    }
    expect(vkeys.size).toBe(1);
    expect(answered).toBeGreaterThan(6);
    expect([...roots.values()].every((views) => views.size === 1)).toBe(true);
    const witness = await startWitness(state, [vkey]);
    const { status } = await fetch(`${witness.url}/add-checkpoint`, {
      method: 'POST',
      body: await log.body(0, 64),
    });
    expect(status).toBe(409);
  }, 60_000);
});
