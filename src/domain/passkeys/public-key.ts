import { sha256Hex } from '../../lib/crypto.ts';
import { ed25519Spki, keyKind, p256Spki, rsaSpki } from '../../proof-kit/der.ts';
import { loadWebauthn } from './webauthn.ts';

/** By their numbers in COSE. */
const ES256 = -7;
const EDDSA = -8;
const RS256 = -257;

/** The kinds of key that every verifier of our proofs can check. */
export const supportedAlgorithms = [ES256, EDDSA, RS256];

/** A key as the rest of the world reads it (SPKI, DER), and its name on the audit chain. */
export async function readPublicKey(coseKey: Uint8Array<ArrayBuffer>) {
  const publicKey = await spkiOf(coseKey);
  if (keyKind(publicKey) === null) throw new Error('the kind of key is not supported');
  return { publicKey, fingerprint: sha256Hex(publicKey) };
}

async function spkiOf(coseKey: Uint8Array<ArrayBuffer>) {
  const { cose, decodeCredentialPublicKey } = await loadWebauthn();
  const { COSEKEYS, isCOSEPublicKeyEC2, isCOSEPublicKeyOKP, isCOSEPublicKeyRSA } = cose;
  const key = decodeCredentialPublicKey(coseKey);
  if (isCOSEPublicKeyEC2(key)) return p256Spki(part(key.get(COSEKEYS.x)), part(key.get(COSEKEYS.y)));
  if (isCOSEPublicKeyOKP(key)) return ed25519Spki(part(key.get(COSEKEYS.x)));
  if (isCOSEPublicKeyRSA(key)) return rsaSpki(part(key.get(COSEKEYS.n)), part(key.get(COSEKEYS.e)));
  throw new Error('the kind of key is not supported');
}

function part(value: Uint8Array | undefined): Uint8Array {
  if (value) return value;
  throw new Error('a part of the key is missing');
}
