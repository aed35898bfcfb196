import { generateKeyPairSync, sign } from 'node:crypto';
import { keyKind, sha256, type WebAuthnSignature, webAuthnFault } from '@countersign/proof-kit';
import { describe, expect, it } from 'vitest';

const service = 'localhost:4000';
const challenge = new Uint8Array(32).fill(5);
const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

interface Change {
  clientData?: string;
  flags?: number;
  rpId?: string;
}

/** Responses like those of a real authenticator, with new keys each time. */
function answer(kind: 'ec' | 'ed25519' | 'rsa', change: Change = {}): WebAuthnSignature {
  const { publicKey, privateKey } =
    kind === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : kind === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ed25519');
  const clientData = Buffer.from(
    change.clientData ??
      JSON.stringify({ type: 'webauthn.get', challenge: encode(challenge), origin: `http://${service}` }),
  );
  const data = Buffer.concat([
    sha256(Buffer.from(change.rpId ?? 'localhost')),
    Buffer.of(change.flags ?? 0x1d, 0, 0, 0, 1),
  ]);
  const signed = Buffer.concat([data, sha256(clientData)]);
  return {
    type: 'webauthn',
    credentialId: 'AA',
    publicKey: encode(publicKey.export({ format: 'der', type: 'spki' })),
    authenticatorData: encode(data),
    clientDataJSON: encode(clientData),
    signature: encode(sign(kind === 'ed25519' ? null : 'sha256', signed, privateKey)),
  };
}

describe.each(['ec', 'ed25519', 'rsa'] as const)('a passkey signature, %s', (kind) => {
  it('is valid', async () => {
    expect(await webAuthnFault(answer(kind), { challenge, service })).toBeNull();
  });

  it('is invalid with another key, signature or authenticator data', async () => {
    const good = answer(kind);
    const other = answer(kind);
    const wrong = 'the signature is not that of its key over it';
    expect(await webAuthnFault({ ...good, publicKey: other.publicKey }, { challenge, service })).toBe(wrong);
    expect(await webAuthnFault({ ...good, signature: other.signature }, { challenge, service })).toBe(wrong);
    expect(await webAuthnFault({ ...good, signature: '' }, { challenge, service })).toBe(wrong);
    const counted = Buffer.from(good.authenticatorData, 'base64url');
    counted[36] = 99;
    expect(await webAuthnFault({ ...good, authenticatorData: encode(counted) }, { challenge, service })).toBe(
      wrong,
    );
  });

  it('is valid for one challenge and one service only', async () => {
    const other = new Uint8Array(32).fill(6);
    expect(await webAuthnFault(answer(kind), { challenge: other, service })).toBe(
      'it was made for something else',
    );
    expect(await webAuthnFault(answer(kind), { challenge, service: 'localhost:4001' })).toBe(
      'it was made on the pages of another service',
    );
  });
});

describe('invalid WebAuthn responses', () => {
  const client = (change: object) =>
    JSON.stringify({
      type: 'webauthn.get',
      challenge: encode(challenge),
      origin: `http://${service}`,
      ...change,
    });
  it.each<[Change, string]>([
    [{ flags: 0x1c }, 'nobody was present when it was made'],
    [{ flags: 0x19 }, 'the person was not verified when it was made'],
    [{ rpId: 'example.test' }, 'it was made for another service'],
    [{ clientData: 'null' }, 'it was not made to sign'],
    [{ clientData: '{' }, 'what the browser signed is not JSON'],
    [{ clientData: client({ type: 'webauthn.create' }) }, 'it was not made to sign'],
    [
      { clientData: client({ origin: `http://${service}.evil.test` }) },
      'it was made on the pages of another service',
    ],
    [
      { clientData: client({ origin: `http://x@${service}` }) },
      'it was made on the pages of another service',
    ],
    [{ clientData: client({ origin: null }) }, 'it was made on the pages of another service'],
    [
      { clientData: `{"type":"webauthn.create",${client({}).slice(1)}` },
      'what the browser signed is not JSON',
    ],
  ])('%j', async (change, fault) => {
    expect(await webAuthnFault(answer('ec', change), { challenge, service })).toBe(fault);
  });

  it('unknown kinds of keys', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    const spki = publicKey.export({ format: 'der', type: 'spki' });
    expect(keyKind(spki)).toBeNull();
    expect(await webAuthnFault({ ...answer('ec'), publicKey: encode(spki) }, { challenge, service })).toBe(
      'its key is of an unknown kind',
    );
  });
});
