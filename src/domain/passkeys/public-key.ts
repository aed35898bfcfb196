import { ed25519Spki, p256Spki, rsaSpki } from '@countersign/proof-kit/der';
import { publicKeyFault } from '@countersign/proof-kit/public-key';
import { sha256Hex } from '../../lib/crypto.ts';
import { loadWebauthn } from './webauthn.ts';

/** By their COSE numbers. */
const ES256 = -7;
const EDDSA = -8;
const RS256 = -257;

/** Curves by their COSE numbers. */
const P256 = 1;
const ED25519 = 6;

/** The kinds of key that every verifier of our proofs can check. */
export const supportedAlgorithms = [ES256, EDDSA, RS256];

/** A key in the standard format (SPKI, DER), and its fingerprint on the audit chain. */
export async function readPublicKey(coseKey: Uint8Array<ArrayBuffer>) {
  const publicKey = await spkiOf(coseKey);
  const fault = await publicKeyFault(publicKey);
  if (fault !== null) throw new Error(fault);
  return { publicKey, fingerprint: sha256Hex(publicKey) };
}

async function spkiOf(coseKey: Uint8Array<ArrayBuffer>) {
  const { cose, decodeCredentialPublicKey } = await loadWebauthn();
  const { COSEKEYS, isCOSEPublicKeyEC2, isCOSEPublicKeyOKP, isCOSEPublicKeyRSA } = cose;
  const key = decodeCredentialPublicKey(coseKey);
  const [algorithm, curve] = [key.get(COSEKEYS.alg), (key as Map<number, unknown>).get(COSEKEYS.crv)];
  if (isCOSEPublicKeyEC2(key)) {
    if (algorithm !== ES256 || curve !== P256) throw new Error('the curve is not that of the algorithm');
    return p256Spki(part(key.get(COSEKEYS.x)), part(key.get(COSEKEYS.y)));
  }
  if (isCOSEPublicKeyOKP(key)) {
    if (algorithm !== EDDSA || curve !== ED25519) throw new Error('the curve is not that of the algorithm');
    return ed25519Spki(part(key.get(COSEKEYS.x)));
  }
  if (algorithm !== RS256) throw new Error('the kind of key is not that of the algorithm');
  if (isCOSEPublicKeyRSA(key)) return rsaSpki(part(key.get(COSEKEYS.n)), part(key.get(COSEKEYS.e)));
  throw new Error('the kind of key is not supported');
}

function part(value: Uint8Array | undefined): Uint8Array {
  if (value) return value;
  throw new Error('a part of the key is missing');
}
