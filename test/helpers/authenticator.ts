import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** Faults that a test can request. */
export interface Quirks {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  crossOrigin?: boolean;
  topOrigin?: string;
  userVerified?: boolean;
  userPresent?: boolean;
  /** Signs with another key. */
  forged?: boolean;
  userHandle?: string;
  counter?: number;
  algorithm?: number;
  /** Rewrites the client data before it is signed. */
  rewrite?: (clientData: string) => string;
  /** Another key in place of its own, in COSE format. */
  coseKey?: Map<number, number | Uint8Array>;
}

interface Asked {
  challenge: string;
  rp?: { id?: string };
  rpId?: string;
  user?: { id: string };
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** A software passkey that also produces responses a real one never would. */
export class SoftPasskey {
  readonly id: string = randomBytes(32).toString('base64url');
  counter = 0;
  private readonly origin: string;
  private readonly keys: { publicKey: KeyObject; privateKey: KeyObject };
  private handle = randomBytes(16).toString('base64url');

  constructor(origin: string) {
    this.origin = origin;
    this.keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  /** The same passkey on a second device, with its own counter. */
  clone(): SoftPasskey {
    return Object.assign(Object.create(SoftPasskey.prototype) as SoftPasskey, this);
  }

  get spki(): Buffer {
    return this.keys.publicKey.export({ type: 'spki', format: 'der' });
  }

  /** The key as an authenticator returns it. */
  get cose(): Buffer {
    return Buffer.from(isoCBOR.encode(this.coseKey()));
  }

  private coseKey(algorithm = -7) {
    const { x, y } = this.keys.publicKey.export({ format: 'jwk' });
    return new Map<number, number | Uint8Array>([
      [1, 2],
      [3, algorithm],
      [-1, 1],
      [-2, Uint8Array.from(Buffer.from(x!, 'base64url'))],
      [-3, Uint8Array.from(Buffer.from(y!, 'base64url'))],
    ]);
  }

  register(options: Asked, quirks: Quirks = {}) {
    this.handle = options.user!.id;
    const id = Buffer.from(this.id, 'base64url');
    const attested = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([id.length >> 8, id.length & 255]),
      id,
      isoCBOR.encode(quirks.coseKey ?? this.coseKey(quirks.algorithm)),
    ]);
    const authData = this.authenticatorData(options.rp?.id ?? '', quirks, attested);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', Uint8Array.from(authData)],
    ]);
    return {
      ...this.named(),
      response: {
        clientDataJSON: this.clientData('webauthn.create', options, quirks).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  answer(options: Asked, quirks: Quirks = {}) {
    const clientData = this.clientData('webauthn.get', options, quirks);
    this.counter = quirks.counter ?? this.counter + 1;
    const authData = this.authenticatorData(options.rpId ?? '', { ...quirks, counter: this.counter });
    const key = quirks.forged
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
      : this.keys.privateKey;
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), key);
    return {
      ...this.named(),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: quirks.userHandle ?? this.handle,
      },
    };
  }

  private named() {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {} };
  }

  private clientData(type: string, { challenge }: Asked, quirks: Quirks): Buffer {
    const { rewrite = (text: string) => text } = quirks;
    const written = rewrite(
      JSON.stringify({
        type: quirks.type ?? type,
        challenge: quirks.challenge ?? challenge,
        origin: quirks.origin ?? this.origin,
        crossOrigin: quirks.crossOrigin ?? false,
        ...(quirks.topOrigin !== undefined && { topOrigin: quirks.topOrigin }),
      }),
    );
    return Buffer.from(written);
  }

  private authenticatorData(rpId: string, quirks: Quirks, attested?: Buffer): Buffer {
    const { userPresent = true, userVerified = true, counter = this.counter } = quirks;
    const flags = (userPresent ? 1 : 0) | (userVerified ? 4 : 0) | (attested ? 64 : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([
      sha256(quirks.rpId ?? rpId),
      Buffer.from([flags]),
      count,
      attested ?? Buffer.alloc(0),
    ]);
  }
}
