/** The reader's trust settings, and the value of a checkpoint's signatures under them. */
import { fromBase64, toHex } from './bytes.ts';
import type { JsonValue } from './canonical.ts';
import type { SignedCheckpoint } from './checkpoint.ts';
import { verifyCosignature } from './cosignature.ts';
import type { ProofKey } from './proof-document.ts';
import { CannotCheck, Refutation } from './sealed-content.ts';
import { type NoteKey, noteKeyId } from './vkey.ts';

/** The portable form of a key: the 32 bytes in base64. */
export interface TrustedKey {
  publicKey: string;
  /** The service; without it the key may sign for every service. */
  name?: string;
}

/** A key as a page carries it. */
export type PublishedKey = TrustedKey & Pick<TrustedServiceKey, 'until' | 'isUnvouched'>;

/** A key of a service. It counts only for origins of that service. */
export interface TrustedServiceKey extends NoteKey {
  /** Vouched for only by itself, as after the loss of the previous key: yields `consistent` at best. */
  isUnvouched?: boolean;
  /** When the key was retired. Later signatures count only with a trusted cosignature from before. */
  until?: string;
}

export interface Trust {
  /** Omitted if no key was given: then the document's own key is tried but not trusted. */
  keys?: readonly TrustedServiceKey[];
  witnesses?: readonly NoteKey[];
  /** How many of the witnesses must have cosigned the head; all of them by default. */
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

/** The key named by the document itself, if it belongs to the service and matches its own id. */
export function documentKey(publicKey: ProofKey, service: string): NoteKey {
  const key = { name: publicKey.name, publicKey: fromBase64(publicKey.publicKey) };
  if (noteKeyId(key) !== publicKey.keyId) throw new Refutation('publicKey.keyId is not the id of its key');
  if (key.name !== service) throw new Refutation(`publicKey is not a key of ${service}`);
  return key;
}

/** The preferred key among those that signed: vouched for and not retired, if there is one. */
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

/** The valid cosignatures of trusted witnesses, one per key. Throws a Refutation for an invalid one. */
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

/** How many trusted witness keys cosigned; a key under two names counts once. */
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
