/** Whom the reader of a proof trusts, and what the signatures under a checkpoint are worth to that reader. */
import { fromBase64, toHex } from './bytes.ts';
import type { JsonValue } from './canonical.ts';
import type { SignedCheckpoint } from './checkpoint.ts';
import { verifyCosignature } from './cosignature.ts';
import { CannotCheck, Refutation } from './disclose.ts';
import type { ProofKey } from './proof-document.ts';
import { type NoteKey, noteKeyId } from './vkey.ts';

/** A key as it is passed around: the 32 bytes in base64. */
export interface TrustedKey {
  publicKey: string;
  /** The service; without it the key may sign for every one. */
  name?: string;
}

/** A key of a service. It counts for the origins of that service alone. */
export interface TrustedServiceKey extends NoteKey {
  /** Vouched for only by itself, as after the loss of the previous key: good for `consistent` at best. */
  isUnvouched?: boolean;
  /** When the key was retired. Later signatures count only with a trusted cosignature from before. */
  until?: string;
}

export interface Trust {
  /** Omitted if no key was named: then the document's own key is tried, but not trusted. */
  keys?: readonly TrustedServiceKey[];
  witnesses?: readonly NoteKey[];
  /** How many of the witnesses must have cosigned the head. Without it, all of those named. */
  quorum?: number;
  /** By `by.id`, the fingerprints of the only passkeys that count for a person. */
  people?: Readonly<Record<string, readonly string[]>>;
  /** The current time, for retired keys. */
  now?: string;
  /** Evaluates the condition of a mandate; without it conditions cannot be checked. */
  evaluateCondition?: (
    condition: string,
    variables: { input: JsonValue; riskScore: number | null },
  ) => boolean | Promise<boolean>;
}

/** Whose signature counts for a checkpoint. */
export interface Signer {
  /** `name+id` of the key. */
  key: string;
  trusted: 'trusted' | 'retired' | 'unvouched' | 'unnamed';
}

export const ED25519_SIGNATURES = 'Ed25519 signatures';

export const keyNameOf = (key: NoteKey): string => `${key.name}+${noteKeyId(key)}`;

/** The key that the document itself names, if it belongs to the service and to its own id. */
export function documentKey(publicKey: ProofKey, service: string): NoteKey {
  const key = { name: publicKey.name, publicKey: fromBase64(publicKey.publicKey) };
  if (noteKeyId(key) !== publicKey.keyId) throw new Refutation('publicKey.keyId is not the id of its key');
  if (key.name !== service) throw new Refutation(`publicKey is not a key of ${service}`);
  return key;
}

/** The key that counts among those that signed: vouched for and not retired, if there is one. */
export function chooseSigner(
  signed: readonly TrustedServiceKey[],
  isRetired: (until: string) => boolean,
): Signer {
  const vouched = signed.filter(({ isUnvouched }) => !isUnvouched);
  const current = vouched.find(({ until }) => until === undefined || !isRetired(until));
  if (current) return { key: keyNameOf(current), trusted: 'trusted' };
  if (vouched[0]) return { key: keyNameOf(vouched[0]), trusted: 'retired' };
  return { key: keyNameOf(signed[0]!), trusted: 'unvouched' };
}

export interface Cosigned {
  name: string;
  /** In milliseconds since 1970. */
  at: number;
}

/** The valid cosignatures of trusted witnesses, one for each key. Throws a Refutation for one that does not hold. */
export async function cosignaturesOf(
  { note }: SignedCheckpoint,
  { witnesses = [] }: Trust,
): Promise<Cosigned[]> {
  const byKey = new Map<string, Cosigned>();
  for (const witness of witnesses) {
    const { status, time } = await verifyCosignature(note, witness);
    if (status === 'unsupported') throw new CannotCheck(ED25519_SIGNATURES);
    if (status === 'invalid') throw new Refutation(`the cosignature of ${witness.name} is wrong`);
    const key = toHex(witness.publicKey);
    if (status === 'valid' && !byKey.has(key)) byKey.set(key, { name: witness.name, at: time! * 1000 });
  }
  return [...byKey.values()];
}

/** How many keys of trusted witnesses cosigned: one key under two names counts once. */
export async function countWitnesses(checkpoint: SignedCheckpoint, trust: Trust): Promise<number> {
  return (await cosignaturesOf(checkpoint, trust)).length;
}

/** How many different witnesses the reader named. */
export function namedWitnesses({ witnesses = [] }: Trust): number {
  return new Set(witnesses.map(({ publicKey }) => toHex(publicKey))).size;
}

export function quorumOf(trust: Trust): number {
  return trust.quorum ?? namedWitnesses(trust);
}
