import {
  chainOrigin,
  formatVerifierKey,
  keyNameFor,
  logOrigin,
  noteKeyId,
  parseCheckpoint,
  parseOrigin,
  parseVerifierKey,
  signCheckpoint,
  verifyNote,
} from '@countersign/proof-kit';
import { fromBase64 } from '@countersign/proof-kit/bytes';
import { parseSignedNote, signNote } from '@countersign/proof-kit/note';
import { describe, expect, it } from 'vitest';
import { signerFromSeed } from '../vectors/signer.ts';

const signer = signerFromSeed(1);
const origin = 'proof.example/chains/12/proof';
const root = new Uint8Array(32).fill(5);
const good = await signCheckpoint({ origin, size: 42, root }, signer.keyNamed(origin), signer.sign);

describe('signed notes', () => {
  // The example that the format's own specification gives.
  const line = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
  const note =
    'This is an example message.\n\n\u2014 example.com/foo ' +
    'Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';

  it('verifies a note signed by another implementation', async () => {
    expect(await verifyNote(parseSignedNote(note), parseVerifierKey(line))).toBe('valid');
    const changed = note.replace('example message', 'exemplary message');
    expect(await verifyNote(parseSignedNote(changed), parseVerifierKey(line))).toBe('invalid');
  });

  it('formats a parsed verifier key as it was', () => {
    expect(formatVerifierKey(parseVerifierKey(line))).toBe(line);
    expect(noteKeyId(parseVerifierKey(line))).toBe('530d903a');
  });

  it.each([
    line.replace('530d903a', '530d903b'),
    line.replace('AekyeR', 'AukyeR'),
    line.replace('AekyeR', 'AekyeS'),
    line.slice(0, -4),
    line.replace('foo', 'f oo'),
    'nonsense',
  ])('rejects the verifier key %s', (bad) => {
    expect(() => parseVerifierKey(bad)).toThrow(TypeError);
  });

  it('ignores signatures of unknown keys, but not an invalid one of a known key', async () => {
    const other = signerFromSeed(2);
    const both =
      good +
      (await signNote(parseSignedNote(good).text, other.keyNamed('w.example'), other.sign)).split('\n\n')[1];
    expect(await verifyNote(parseSignedNote(both), signer.keyNamed(origin))).toBe('valid');
    expect(await verifyNote(parseSignedNote(both), other.keyNamed('w.example'))).toBe('valid');
    expect(await verifyNote(parseSignedNote(both), other.keyNamed(origin))).toBe('unsigned');
    expect(await verifyNote(parseSignedNote(both), signerFromSeed(3).keyNamed(origin))).toBe('unsigned');
    const edited = both.replace('\n42\n', '\n43\n');
    expect(await verifyNote(parseSignedNote(edited), other.keyNamed('w.example'))).toBe('invalid');
  });

  it('matches keys by name and id', async () => {
    const renamed = good.replace(`\u2014 ${origin}`, '\u2014 other.example');
    expect(await verifyNote(parseSignedNote(renamed), signer.keyNamed(origin))).toBe('unsigned');
    expect(await verifyNote(parseSignedNote(renamed), signer.keyNamed('other.example'))).toBe('unsigned');
  });

  it('returns unsupported when the runtime has no Ed25519', async () => {
    const native = Object.getOwnPropertyDescriptor(globalThis, 'crypto')!;
    Object.defineProperty(globalThis, 'crypto', { configurable: true, value: {} });
    try {
      expect(await verifyNote(parseSignedNote(good), signer.keyNamed(origin))).toBe('unsupported');
    } finally {
      Object.defineProperty(globalThis, 'crypto', native);
    }
  });
});

describe('checkpoints', () => {
  it('have the format of the specification', () => {
    expect(good).toMatch(
      /^proof\.example\/chains\/12\/proof\n42\n[A-Za-z0-9+/]{43}=\n\n\u2014 proof\.example\/chains\/12\/proof [A-Za-z0-9+/]+=*\n$/,
    );
  });

  it('are parsed and verified', async () => {
    const checkpoint = parseCheckpoint(good);
    expect(checkpoint).toMatchObject({ origin, size: 42, root });
    expect(await verifyNote(checkpoint.note, signer.keyNamed(origin))).toBe('valid');
  });

  it('can have extension lines', () => {
    const extended = good.replace('\n\n', '\nsomething more\n\n');
    expect(parseCheckpoint(extended).size).toBe(42);
  });

  const signature = good.split('\n\n')[1]!;
  it.each([
    ['nothing', ''],
    ['no signature', good.split('\n\n')[0]!],
    ['no final newline', good.slice(0, -1)],
    ['a line after the signatures', `${good}x\n`],
    ['a carriage return', good.replaceAll('\n', '\r\n')],
    ['a tab', good.replace('42', '4\t2')],
    ['a leading zero', good.replace('\n42\n', '\n042\n')],
    ['a sign', good.replace('\n42\n', '\n+42\n')],
    ['a size beyond safe integers', good.replace('\n42\n', '\n9007199254740993\n')],
    ['an empty origin', good.replace(origin, '')],
    ['no root', `${origin}\n42\n\n${signature}`],
    ['a short root', good.replace(/\n42\n.{4}/, '\n42\n')],
    ['a root in the URL-safe alphabet', good.replace(/\n42\n../, '\n42\n-_')],
    ['a root without padding', good.replace('=\n\n', '\n\n')],
    ['a hyphen instead of the dash', good.replace('\u2014', '-')],
    ['a signature line without a name', good.replace(/\u2014 \S+ /, '\u2014 ')],
    ['two spaces', good.replace('\u2014 ', '\u2014  ')],
    ['a signature that is not base64', good.replace(/.{8}\n$/, '********\n')],
    ['a signature of four bytes', good.replace(/ \S+\n$/, ' AAAAAA==\n')],
    ['a lone surrogate', good.replace('proof.example', '\ud800')],
    ['too many signatures', good + signature.repeat(40)],
  ])('with %s are rejected', (_, text) => {
    expect(() => parseCheckpoint(text)).toThrow(TypeError);
  });

  it('cannot be signed with invalid members', () => {
    const sign = (part: object) =>
      signCheckpoint({ origin, size: 1, root, ...part }, signer.keyNamed(origin), signer.sign);
    for (const bad of [
      { origin: 'a b' },
      { origin: 'a\nb' },
      { size: -1 },
      { size: 1.5 },
      { root: root.slice(1) },
    ]) {
      expect(() => sign(bad)).toThrow(TypeError);
    }
  });

  it('have an origin of host, center and domain', () => {
    expect(chainOrigin('https://proof.example', 12, 'proof')).toBe(origin);
    expect(chainOrigin('http://localhost:4000/', 1, 'platform')).toBe('localhost:4000/chains/1/platform');
    expect(chainOrigin('https://host.example/a+b/', null, 'journal')).toBe('host.example/chains/0/journal');
    expect(logOrigin('https://host.example:8443/')).toBe('host.example:8443/log');
  });

  it('are signed under the service name at the start of the origin', () => {
    expect(parseOrigin(origin)).toEqual({ service: 'proof.example', chain: { center: 12, domain: 'proof' } });
    expect(parseOrigin('localhost:4000/log')).toEqual({ service: 'localhost:4000', chain: null, log: 1 });
    expect(parseOrigin('localhost:4000/log/2')).toMatchObject({ log: 2 });
    expect(keyNameFor(origin)).toBe('proof.example');
    for (const foreign of ['proof.example', 'a/b/log', 'a/chains/012/proof', 'a/chains/1/proof/x', 'a /log'])
      expect(parseOrigin(foreign)).toBeNull();
  });
});

describe('base64', () => {
  it.each(['QQ', 'QQ=', 'QR==', 'Q Q=', 'QQ==\n', '_w=='])('rejects %j', (text) => {
    expect(() => fromBase64(text)).toThrow(TypeError);
  });
});
