/** Verifies a passkey's signature (WebAuthn, section 7.2) with Web Crypto only. */
import { type Bytes, concatBytes, equalBytes, fromBase64Url, toBase64Url, utf8 } from './bytes.ts';
import type { WebAuthnSignature } from './decision.ts';
import { joinedSignature, keyKind, rsaModulus } from './der.ts';
import { verifyEd25519 } from './ed25519.ts';
import { publicKeyFault } from './public-key.ts';
import { CannotCheck } from './sealed-content.ts';
import { sha256 } from './sha256.ts';
import { parseStrictJson } from './strict-json.ts';

const RP_ID_HASH_BYTES = 32;
const SHORTEST_DATA = 37;
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;

export interface Expected {
  /** The bytes that should have been signed. */
  challenge: Uint8Array;
  /** The host, with port, of the service for which it was signed. */
  service: string;
}

/** The relying party of a service: its host without the port. */
export function relyingParty(service: string): string {
  return service.replace(/:\d+$/, '');
}

const PASSKEY_SIGNATURES = 'passkey signatures';

/** Null if the signature is valid, otherwise a clause with the reason. Throws CannotCheck if this runtime cannot decide. */
export async function webAuthnFault(
  signature: WebAuthnSignature,
  expected: Expected,
): Promise<string | null> {
  let parts: { publicKey: Bytes; authenticatorData: Bytes; clientData: Bytes; signature: Bytes };
  try {
    parts = {
      publicKey: fromBase64Url(signature.publicKey),
      authenticatorData: fromBase64Url(signature.authenticatorData),
      clientData: fromBase64Url(signature.clientDataJSON),
      signature: fromBase64Url(signature.signature),
    };
  } catch {
    return 'it is not written in base64url';
  }
  return (
    clientDataFault(parts.clientData, expected) ??
    authenticatorDataFault(parts.authenticatorData, expected.service) ??
    (await signatureFault(
      parts.publicKey,
      parts.signature,
      concatBytes(parts.authenticatorData, sha256(parts.clientData)),
    ))
  );
}

function clientDataFault(bytes: Bytes, { challenge, service }: Expected): string | null {
  let data: unknown;
  try {
    data = parseStrictJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return 'what the browser signed is not JSON';
  }
  const { type, challenge: signed, origin } = (data ?? {}) as Record<string, unknown>;
  if (type !== 'webauthn.get') return 'it was not made to sign';
  if (signed !== toBase64Url(challenge)) return 'it was made for something else';
  const isOurs = origin === `https://${service}` || origin === `http://${service}`;
  return isOurs ? null : 'it was made on the pages of another service';
}

function authenticatorDataFault(bytes: Bytes, service: string): string | null {
  if (bytes.length < SHORTEST_DATA) return 'what the authenticator signed is too short';
  if (!equalBytes(bytes.subarray(0, RP_ID_HASH_BYTES), sha256(utf8(relyingParty(service)))))
    return 'it was made for another service';
  const flags = bytes[RP_ID_HASH_BYTES]!;
  if ((flags & USER_PRESENT) === 0) return 'nobody was present when it was made';
  return (flags & USER_VERIFIED) === 0 ? 'the person was not verified when it was made' : null;
}

const ALGORITHMS = {
  p256: { key: { name: 'ECDSA', namedCurve: 'P-256' }, verify: { name: 'ECDSA', hash: 'SHA-256' } },
  rsa: {
    key: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    verify: { name: 'RSASSA-PKCS1-v1_5' },
  },
} as const;

const ED25519_KEY_AT = 12;
const WRONG = 'the signature is not that of its key over it';

async function signatureFault(publicKey: Bytes, signature: Bytes, signed: Bytes): Promise<string | null> {
  const kind = keyKind(publicKey);
  if (kind === null || (await publicKeyFault(publicKey)) !== null) return 'its key is of an unknown kind';
  if (kind === 'ed25519') {
    const status = await verifyEd25519(publicKey.slice(ED25519_KEY_AT), signature, signed);
    if (status === 'unsupported') throw new CannotCheck(PASSKEY_SIGNATURES);
    return status === 'valid' ? null : WRONG;
  }
  const raw = kind === 'p256' ? joinedSignature(signature) : signature;
  if (raw === null || (kind === 'rsa' && raw.length !== rsaModulus(publicKey).length)) return WRONG;
  const subtle = globalThis.crypto?.subtle;
  if (subtle === undefined) throw new CannotCheck(PASSKEY_SIGNATURES);
  try {
    const { key, verify } = ALGORITHMS[kind];
    const imported = await subtle.importKey('spki', publicKey, key, false, ['verify']);
    return (await subtle.verify(verify, imported, raw, signed)) ? null : WRONG;
  } catch (error) {
    if ((error as Error).name === 'NotSupportedError') throw new CannotCheck(PASSKEY_SIGNATURES);
    return WRONG;
  }
}
