import {
  canonicalJson,
  formatVerifierKey,
  type HistoricKey,
  type KeyStatement,
  keysSigningAt,
  noteKeyId,
  readKeyHistory,
  signKeyStatement,
} from '@countersign/proof-kit';
import { describe, expect, it } from 'vitest';
import { signerFromSeed } from '../vectors/signer.ts';

const NAME = 'proof.example';
const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const at = (day: number) => new Date(START + day * DAY).toISOString();
const signers = [1, 2, 3].map(signerFromSeed);
const vkey = (i: number, name = NAME) => formatVerifierKey(signers[i]!.keyNamed(name));
const id = (i: number, name = NAME) => noteKeyId(signers[i]!.keyNamed(name));

const line = (by: number, statement: Partial<KeyStatement>) =>
  signKeyStatement(
    { at: at(0), event: 'added', vkey: vkey(by), signedBy: id(by), ...statement },
    signers[by]!.sign,
  );
const first = await line(0, {});
const rotated = await line(0, { at: at(100), vkey: vkey(1) });
const retired = await line(1, { at: at(130), event: 'retired', vkey: vkey(0) });
const ids = (keys: HistoricKey[]) => keys.map(({ keyId }) => keyId);

const stranger = signerFromSeed(9);
const falsified: [what: string, lines: string[]][] = [
  ['a first line signed by another key', [await line(1, { vkey: vkey(0) })]],
  [
    'a key added by an unknown key',
    [
      first,
      await signKeyStatement({ at: at(1), event: 'added', vkey: vkey(1), signedBy: id(0) }, stranger.sign),
    ],
  ],
  ['a key that added itself', [first, await line(1, {})]],
  [
    'a key that signs after it was retired',
    [first, rotated, retired, await line(0, { at: at(140), vkey: vkey(2) })],
  ],
  ['a key that is added twice', [first, rotated, rotated]],
  ['the retirement of an unknown key', [first, await line(0, { event: 'retired', vkey: vkey(1) })]],
  ['a key retired twice', [first, rotated, retired, retired]],
  ['an unsigned retirement', [first, await line(0, { event: 'retired', signedBy: null })]],
  ['a changed time', [first.replace('2026-01-01', '2025-01-01')]],
  ['an unknown member', [canonicalJson({ ...JSON.parse(first), reason: 'x' })]],
  [
    'another order of members',
    [JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(first)).reverse()))],
  ],
  ['invalid JSON', ['x']],
  ['null', ['null']],
  ['a missing line', [rotated]],
];

describe('the history of signing keys', () => {
  it('is canonical JSON with exactly the specified members', () => {
    expect(Object.keys(JSON.parse(first))).toEqual(['at', 'event', 'signature', 'signedBy', 'vkey']);
    expect(first).toBe(canonicalJson(JSON.parse(first)));
  });

  it('returns which keys signed at a given time', async () => {
    const keys = await readKeyHistory([first, rotated, retired]);
    expect(keys).toEqual([
      expect.objectContaining({ keyId: id(0), vkey: vkey(0), from: at(0), until: at(130), vouched: true }),
      expect.objectContaining({ keyId: id(1), from: at(100), until: null, signedBy: id(0), vouched: true }),
    ]);
    const signing = (day: number) => ids(keysSigningAt(keys, new Date(START + day * DAY)));
    expect(signing(50)).toEqual([id(0)]);
    expect(signing(110)).toEqual([id(0), id(1)]);
    expect(signing(130)).toEqual([id(1)]);
  });

  it('accepts the same key under another name', async () => {
    const moved = await line(0, { at: at(1), vkey: vkey(0, 'new.example') });
    expect((await readKeyHistory([first, moved])).map(({ name }) => name)).toEqual([NAME, 'new.example']);
  });

  it('marks the replacement of a lost key, and keys signed by it, as not vouched for', async () => {
    const replacement = await line(1, { at: at(100), signedBy: null });
    const after = await line(1, { at: at(200), vkey: vkey(2) });
    const keys = await readKeyHistory([first, replacement, after]);
    expect(keys.map(({ vouched, until }) => [vouched, until])).toEqual([
      [true, at(100)],
      [false, null],
      [false, null],
    ]);
  });

  it.each(falsified)('with %s is rejected', async (_, lines) => {
    await expect(readKeyHistory(lines)).rejects.toThrow(`line ${lines.length} of the key history`);
  });
});
