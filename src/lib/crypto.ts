import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

export function sha256Hex(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex');
}

/** The same hash as bytes, for hashes of hashes. */
export function sha256Bytes(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer');
}

/** An unguessable token for URLs and headers. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

/** Compares in constant time. */
export function safeEqual(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Derives a key for one purpose from a secret that serves several. */
function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'countersign', purpose, 32));
}

/** Encrypts secrets at rest with AES-256-GCM and binds them to the place they belong to. */
export interface Vault {
  seal(plaintext: string, belongsTo: string): string;
  open(sealed: string, belongsTo: string): string;
  /** A keyed hash: equal for equal texts, and useless for guessing texts without the secret. */
  fingerprint(text: string): string;
  /** Re-encrypts with the current key a value encrypted with the previous one; null if it already uses the current key. */
  reseal(sealed: string, belongsTo: string): string | null;
  /** The previous key, or null if no key is being replaced. */
  previous: Pick<Vault, 'fingerprint'> | null;
}

const VERSION = 'v1';
/** Node also accepts tags of 4 bytes, which can be guessed. */
const TAG_BYTES = 16;

/** Encrypts with the current key; also decrypts with the previous key while it is being replaced. */
export function makeVault(secret: string, previousSecret?: string): Vault {
  const current = makeCipher(secret);
  const previous = previousSecret === undefined ? null : makeCipher(previousSecret);
  const reseal = (sealed: string, belongsTo: string) => {
    try {
      current.open(sealed, belongsTo);
      return null;
    } catch (error) {
      if (!previous) throw error;
      return current.seal(previous.open(sealed, belongsTo), belongsTo);
    }
  };
  return {
    ...current,
    previous,
    reseal,
    open(sealed, belongsTo) {
      if (!previous) return current.open(sealed, belongsTo);
      try {
        return current.open(sealed, belongsTo);
      } catch {
        return previous.open(sealed, belongsTo);
      }
    },
  };
}

function makeCipher(secret: string): Pick<Vault, 'seal' | 'open' | 'fingerprint'> {
  const key = deriveKey(secret, 'vault');
  const fingerprintKey = deriveKey(secret, 'fingerprint');
  return {
    seal(plaintext, belongsTo) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(
        Buffer.from(belongsTo),
      );
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return [VERSION, nonce, cipher.getAuthTag(), body]
        .map((part) => (typeof part === 'string' ? part : part.toString('base64url')))
        .join('.');
    },
    open(sealed, belongsTo) {
      const [version, nonce, tag, body] = sealed.split('.');
      if (version !== VERSION || !nonce || !tag || body === undefined)
        throw new Error('unknown vault format');
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(belongsTo))
        .setAuthTag(Buffer.from(tag, 'base64url'));
      return decipher.update(body, 'base64url', 'utf8') + decipher.final('utf8');
    },
    fingerprint: (text) => createHmac('sha256', fingerprintKey).update(text).digest('hex'),
  };
}
