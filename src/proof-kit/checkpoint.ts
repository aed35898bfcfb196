/**
 * C2SP checkpoints (c2sp.org/tlog-checkpoint): the size and root of a chain's Merkle tree as a signed note.
 *
 * The origin names the chain for good. Following the recommendation of the format, the service signs each chain's
 * checkpoints under a key name equal to the origin, with one key pair for all chains.
 */
import { type Bytes, fromBase64, toBase64 } from './bytes.ts';
import { type NoteKey, parseSignedNote, type SignedNote, signNote } from './note.ts';

export interface Checkpoint {
  origin: string;
  /** How many records the tree covers. */
  size: number;
  root: Uint8Array;
}

export interface SignedCheckpoint extends Checkpoint {
  note: SignedNote;
}

const ROOT_BYTES = 32;
const SIZE = /^(?:0|[1-9]\d{0,15})$/;
const ORIGIN = /^[^\s+]+$/u;

/** A service's address without its scheme: the name of its key, and what the origins of its chains begin with. */
export function serviceName(publicUrl: string): string {
  const { host, pathname } = new URL(publicUrl);
  return `${host}${pathname}`.replace(/\/+$/, '').replaceAll('+', '%2B');
}

/**
 * The origin of a chain: the service's address without its scheme, the center and the domain, as in
 * `proof.example/chains/12/proof`. It identifies the log and must be kept with the chain once used: a service that
 * moves to another address goes on signing its old chains under their old origins.
 */
export function chainOrigin(publicUrl: string, centerId: number | string, domain: string): string {
  return `${serviceName(publicUrl)}/chains/${encodeURIComponent(centerId)}/${encodeURIComponent(domain)}`;
}

/** Whether a checkpoint of this origin speaks about a chain of this domain. */
export function isOriginOfDomain(origin: string, domain: string): boolean {
  return origin.endsWith(`/${encodeURIComponent(domain)}`);
}

/** The text that gets signed. */
export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  if (!ORIGIN.test(origin)) throw new TypeError('an origin has no space and no plus');
  if (!Number.isSafeInteger(size) || size < 0) throw new TypeError('a tree size is a whole number from 0');
  if (root.length !== ROOT_BYTES) throw new TypeError('a root has 32 bytes');
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

export function signCheckpoint(
  checkpoint: Checkpoint,
  key: NoteKey,
  sign: (bytes: Bytes) => Uint8Array | Promise<Uint8Array>,
): Promise<string> {
  return signNote(formatCheckpoint(checkpoint), key, sign);
}

/** Throws a TypeError for anything that is not exactly a signed checkpoint. The signature is not checked here. */
export function parseCheckpoint(text: string): SignedCheckpoint {
  const note = parseSignedNote(text);
  const [origin, size, root, ...extensions] = note.text.slice(0, -1).split('\n');
  if (origin === undefined || size === undefined || root === undefined) {
    throw new TypeError('a checkpoint has an origin, a size and a root');
  }
  if (origin === '' || extensions.includes('')) throw new TypeError('a checkpoint has no empty lines');
  if (!SIZE.test(size) || !Number.isSafeInteger(Number(size)))
    throw new TypeError('the tree size is not a number');
  const rootBytes = fromBase64(root);
  if (rootBytes.length !== ROOT_BYTES) throw new TypeError('the root does not have 32 bytes');
  return { origin, size: Number(size), root: rootBytes, note };
}
