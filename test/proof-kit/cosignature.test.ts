import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import {
  cosign,
  formatVerifierKey,
  formatWitnessKey,
  parseCheckpoint,
  parseSignatureLines,
  parseVerifierKey,
  parseWitnessKey,
  signCheckpoint,
  verifyCosignature,
  verifyNote,
  witnessKeyId,
} from '@countersign/proof-kit';
import { describe, expect, it } from 'vitest';
import { signerFromSeed } from '../vectors/signer.ts';

const TIME = 1_679_315_147;
const service = signerFromSeed(1);
const witness = signerFromSeed(7);
const key = witness.keyNamed('witness.example/w1');
const head = await signCheckpoint(
  { origin: 'proof.example/log', size: 20_852_163, root: new Uint8Array(32).fill(9) },
  service.keyNamed('proof.example'),
  service.sign,
);
const { text } = parseCheckpoint(head).note;
const line = await cosign(text, TIME, key, witness.sign);
const noteWith = (...lines: string[]) => parseCheckpoint(head + lines.join('')).note;

describe('a cosignature', () => {
  it('covers header, time and the whole text, as specified', () => {
    const [own] = parseSignatureLines(line);
    expect(own).toMatchObject({ name: 'witness.example/w1', keyId: witnessKeyId(key) });
    expect(Buffer.from(own!.signature).readBigUInt64BE(0)).toBe(BigInt(TIME));
    // The 12 bytes before the key are the frame of RFC 8410.
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key.publicKey]);
    const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    const signed = `cosignature/v1\ntime ${TIME}\nproof.example/log\n20852163\n${Buffer.alloc(32, 9).toString('base64')}\n`;
    expect(verify(null, Buffer.from(signed), publicKey, own!.signature.slice(8))).toBe(true);
  });

  it('is found among other signatures, with its time', async () => {
    const other = await cosign(
      text,
      TIME + 5,
      signerFromSeed(8).keyNamed('w2.example'),
      signerFromSeed(8).sign,
    );
    expect(await verifyCosignature(noteWith(other, line), key)).toEqual({ status: 'valid', time: TIME });
    expect(await verifyNote(noteWith(line), service.keyNamed('proof.example'))).toBe('valid');
    const later = await cosign(text, TIME + 60, key, witness.sign);
    expect(await verifyCosignature(noteWith(line, later), key)).toEqual({
      status: 'valid',
      time: TIME,
    });
  });

  it('is absent when unsigned or signed by another key or name', async () => {
    const unsigned = { status: 'unsigned', time: null };
    expect(await verifyCosignature(noteWith(), key)).toEqual(unsigned);
    expect(await verifyCosignature(noteWith(line), witness.keyNamed('w2.example'))).toEqual(unsigned);
    expect(await verifyCosignature(noteWith(line), signerFromSeed(8).keyNamed(key.name))).toEqual(unsigned);
  });

  const withBytes = (change: (bytes: Buffer) => Buffer) => {
    const [, name, encoded] = line.trimEnd().split(' ');
    return `\u2014 ${name} ${change(Buffer.from(encoded!, 'base64')).toString('base64')}\n`;
  };
  const withTime = (bytes: Buffer, time: bigint) => {
    bytes.writeBigUInt64BE(time, 4);
    return bytes;
  };
  it.each([
    ['another time', withBytes((bytes) => withTime(bytes, BigInt(TIME + 1)))],
    ['a time out of range', withBytes((bytes) => withTime(bytes, 2n ** 63n))],
    ['no time', withBytes((bytes) => Buffer.concat([bytes.subarray(0, 4), bytes.subarray(12)]))],
    ['a longer signature', withBytes((bytes) => Buffer.concat([bytes, Buffer.of(0)]))],
    [
      'another signature',
      withBytes((bytes) => Buffer.from(bytes.map((byte, i) => (i === 20 ? byte ^ 1 : byte)))),
    ],
  ])('with %s is invalid', async (_, forged) => {
    expect(await verifyCosignature(noteWith(forged), key)).toEqual({ status: 'invalid', time: null });
    // Only the first line of a key counts.
    expect(await verifyCosignature(noteWith(forged, line), key)).toEqual({ status: 'invalid', time: null });
    expect(await verifyCosignature(noteWith(line, forged), key)).toEqual({ status: 'valid', time: TIME });
  });

  it('is invalid for another text', async () => {
    const other = parseCheckpoint(head.replace('\n20852163\n', '\n20852164\n') + line).note;
    expect((await verifyCosignature(other, key)).status).toBe('invalid');
  });

  it('cannot be created with an invalid time', async () => {
    for (const time of [0, -1, 1.5, Number.NaN])
      await expect(cosign(text, time, key, witness.sign)).rejects.toThrow();
  });
});

describe('the verifier key of a witness', () => {
  it('is formatted as it was parsed', () => {
    const vkey = formatWitnessKey(key);
    expect(vkey).toMatch(/^witness\.example\/w1\+[0-9a-f]{8}\+B[A-Za-z0-9+/]{43}$/);
    expect(parseWitnessKey(vkey)).toEqual({ name: key.name, publicKey: new Uint8Array(key.publicKey) });
  });

  it('is not accepted as the key of a service, nor the other way round', async () => {
    expect(() => parseVerifierKey(formatWitnessKey(key))).toThrow('log or service');
    expect(() => parseWitnessKey(formatVerifierKey(key))).toThrow('witness');
    // A plain signature of the same key over the same text is not a cosignature.
    const seed = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]);
    const plain = sign(
      null,
      Buffer.from(text),
      createPrivateKey({ key: seed, format: 'der', type: 'pkcs8' }),
    );
    expect(plain).toHaveLength(64);
    const posing = `\u2014 ${key.name} ${Buffer.concat([Buffer.from(witnessKeyId(key), 'hex'), plain]).toString('base64')}\n`;
    expect((await verifyCosignature(noteWith(posing), key)).status).toBe('invalid');
  });
});
