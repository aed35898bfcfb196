import { hash } from 'node:crypto';
import {
  Frontier,
  leafHash,
  parseCheckpoint,
  parseVerifierKey,
  rootFromInclusion,
  splitEntries,
  verifyConsistency,
  verifyNote,
} from '@countersign/proof-kit';
import { describe, expect, test } from 'vitest';
import { headInclusion } from '../../src/domain/ledger/log/published.ts';
import { makeCheckpoint } from '../../src/domain/ledger/signing/checkpoints.ts';
import { signDueChains } from '../../src/domain/ledger/signing/round.ts';
import { testApp } from '../helpers/app.ts';
import { appendRecords, makeChain, numbered, tamper } from './chains.ts';

const digest = (bytes: Uint8Array) => new Uint8Array(hash('sha256', bytes, 'buffer'));
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

async function stage(env: Record<string, string> = { PUBLIC_URL: 'https://proof.example' }) {
  const running = await testApp({ env });
  const text = async (path: string) => {
    const response = await running.fetch(path);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const bytes = async (path: string) => {
    const response = await running.fetch(path);
    return response.status === 200 ? new Uint8Array(await response.arrayBuffer()) : null;
  };
  return { ...running, text, bytes };
}

describe('the head log', () => {
  test('has the exact bytes of signed checkpoints as leaves, covered by one signed head', async () => {
    const { app, text, bytes } = await stage();
    expect((await text('/log/checkpoint')).status).toBe(404);
    const one = await makeChain(app, 3);
    const two = await makeChain(app, 5, 'proof');
    await signDueChains(app);
    const answer = await text('/log/checkpoint');
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(answer.headers.get('cache-control')).toContain('max-age=1');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const head = parseCheckpoint(answer.text);
    expect(head).toMatchObject({ origin: 'proof.example/log', size: 3 });
    const vkey = (await text('/.well-known/countersign-keys.txt')).text.trim();
    expect(await verifyNote(head.note, parseVerifierKey(vkey))).toBe('valid');

    const entries = splitEntries((await bytes('/log/tile/entries/000.p/3'))!);
    const notes = entries.map((entry) => parseCheckpoint(Buffer.from(entry).toString()));
    expect(notes.map(({ origin, size }) => [origin, size])).toEqual([
      ['proof.example/chains/0/journal', 2],
      [`proof.example/chains/${one.center.id}/platform`, 3],
      [`proof.example/chains/${two.center.id}/proof`, 5],
    ]);
    for (const { note } of notes) expect(await verifyNote(note, parseVerifierKey(vkey))).toBe('valid');
    const tree = new Frontier(digest);
    for (const entry of entries) tree.append(entry);
    expect(hex(tree.root())).toBe(hex(head.root));
    expect(hex((await bytes('/log/tile/0/000.p/3'))!)).toBe(entries.map((e) => hex(leafHash(e))).join(''));
  });

  test('grows over several levels of tiles, which never change', async () => {
    const { app, text, bytes, fetch } = await stage();
    // One chain many times over: the log does not depend on its content.
    const chains = await Promise.all(Array.from({ length: 12 }, () => makeChain(app, 1)));
    let seen: { head: ReturnType<typeof parseCheckpoint>; tile: Uint8Array | null } | null = null;
    const tree = new Frontier(digest);
    for (let round = 0; round < 23; round++) {
      await signDueChains(app);
      await Promise.all(chains.map(({ chainId }) => appendRecords(app, chainId, numbered(0, 1))));
    }
    const head = parseCheckpoint((await text('/log/checkpoint')).text);
    expect(head.size).toBe(277);
    const full = (await bytes('/log/tile/entries/000'))!;
    for (const entry of splitEntries(full)) tree.append(entry);
    for (const entry of splitEntries((await bytes('/log/tile/entries/001.p/21'))!)) tree.append(entry);
    expect(hex(tree.root())).toBe(hex(head.root));
    const tile = await fetch('/log/tile/0/000');
    expect(tile.headers.get('cache-control')).toContain('immutable');
    expect(tile.headers.get('content-type')).toBe('application/octet-stream');
    expect((await bytes('/log/tile/0/000'))!.length).toBe(8_192);
    expect((await bytes('/log/tile/1/000.p/1'))!.length).toBe(32);
    expect((await bytes('/log/tile/0/000.p/7'))!.length).toBe(7 * 32);
    seen = { head, tile: await bytes('/log/tile/0/000') };
    await signDueChains(app);
    expect(hex((await bytes('/log/tile/0/000'))!)).toBe(hex(seen.tile!));
    for (const path of ['0/001', '0/001.p/34', '1/000', '2/000.p/1', 'entries/001', '0/1', 'x']) {
      expect((await text(`/log/tile/${path}`)).status).toBe(404);
    }
    expect((await text('/log/nothing')).status).toBe(404);
  });

  test('proves the inclusion of every entry under its head', async () => {
    const { app } = await stage();
    const { chainId } = await makeChain(app, 1);
    for (let size = 1; size < 20; size++) {
      await makeCheckpoint(app, chainId);
      await appendRecords(app, chainId, numbered(size, 1));
    }
    const checkpoints = await app.db.acrossTenants.checkpoint.findMany({ orderBy: { logIndex: 'asc' } });
    for (const { log, logIndex, note } of checkpoints) {
      const proof = (await headInclusion(app, { log, logIndex, note }))!;
      const head = parseCheckpoint(proof.checkpoint);
      expect(proof).toMatchObject({ leafIndex: Number(logIndex), treeSize: head.size });
      const hashes = proof.hashes.map((text) => Buffer.from(text, 'hex'));
      const root = rootFromInclusion(leafHash(Buffer.from(note)), proof.leafIndex, proof.treeSize, hashes)!;
      expect(hex(root)).toBe(hex(head.root));
    }
  });

  test('proves that a chain only grew between two checkpoints', async () => {
    const { app, fetch, database } = await stage();
    const { chainId, center } = await makeChain(app, 3);
    const first = parseCheckpoint((await makeCheckpoint(app, chainId))!.note);
    await appendRecords(app, chainId, numbered(3, 9));
    const second = parseCheckpoint((await makeCheckpoint(app, chainId))!.note);
    const ask = (from: number | string, to: number | string, origin = first.origin) =>
      fetch(`/log/consistency?${new URLSearchParams({ origin, from: `${from}`, to: `${to}` })}`);
    const answer = await ask(3, 12);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const { hashes, ...more } = (await answer.json()) as { hashes: string[] };
    expect(more).toEqual({});
    const proof = hashes.map((text) => Buffer.from(text, 'base64'));
    expect(verifyConsistency({ first, second, proof })).toBe(true);
    // The same size twice: it proves that the record still exists.
    expect(await (await ask(3, 3)).json()).toEqual({ hashes: [] });
    for (const [from, to] of [
      [4, 4],
      [3, 11],
      [12, 3],
      ['', 12],
      ['x', 12],
      [3, ''],
      [12, 13],
      [-3, 12],
      ['03', 12],
    ] as const)
      expect((await ask(from, to)).status).toBe(404);
    expect((await ask(3, 12, `proof.example/chains/${center.id}/proof`)).status).toBe(404);
    expect((await fetch('/log/consistency')).status).toBe(404);
    await tamper(database.adminUrl, ['DELETE FROM ledger_node']);
    expect((await ask(3, 12)).status).toBe(404);
  });

  test('is no longer signed after an entry or a head was changed', async () => {
    const { app, database, text } = await stage();
    await signDueChains(app);
    const { chainId } = await makeChain(app, 3);
    await makeCheckpoint(app, chainId);
    const other = await makeChain(app, 3);
    await makeCheckpoint(app, other.chainId);
    const before = (await text('/log/checkpoint')).text;
    await tamper(database.adminUrl, [
      `UPDATE checkpoint SET note = (SELECT note FROM checkpoint WHERE log_index = 1) WHERE log_index = 0`,
    ]);
    await appendRecords(app, other.chainId, numbered(3, 1));
    await expect(signDueChains(app)).rejects.toMatchObject({ name: 'SigningRefused' });
    await tamper(database.adminUrl, [`UPDATE log_head SET root_hash = repeat('0', 64)`]);
    expect((await text('/log/checkpoint')).text).toBe(before);
  });

  test('is no longer signed after the root of its newest head was changed', async () => {
    const { app, database } = await stage();
    const { chainId } = await makeChain(app, 3);
    await makeCheckpoint(app, chainId);
    await tamper(database.adminUrl, [`UPDATE log_head SET root_hash = repeat('0', 64)`]);
    await expect(signDueChains(app)).rejects.toThrow(/^the head log: .* is not what was signed$/);
  });
});
