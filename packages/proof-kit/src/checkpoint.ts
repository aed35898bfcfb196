/**
 * C2SP checkpoints (c2sp.org/tlog-checkpoint): the size and root of a Merkle tree as a signed note.
 *
 * The origin identifies the tree permanently: `<service>/chains/<center>/<domain>` for a chain, `<service>/log` for the head log
 * with the checkpoints of all chains, `<service>/log/2` for its successor if the first was closed after a loss. Everything a
 * service signs has the service's name as the key name, so one verifier key covers all of it; the key counts only for origins
 * that begin with that name.
 */
import { fromBase64, toBase64 } from './bytes.ts';
import { parseSignedNote, type Sign, type SignedNote, signNote } from './note.ts';
import type { NoteKey } from './vkey.ts';

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

/** The name of a service: the host of its URL, with the port if there is one. */
export function serviceName(publicUrl: string): string {
  return new URL(publicUrl).host;
}

/** The center id in origins that belong to no center. */
export const NO_CENTER = 0;

/**
 * The origin of a chain, such as `proof.example/chains/12/proof`. It identifies the tree and must be stored with the chain: a
 * service that moves to another address keeps signing its old chains under their old origins.
 */
export function chainOrigin(publicUrl: string, centerId: number | null, domain: string): string {
  return chainOriginOf(serviceName(publicUrl), centerId, domain);
}

/** The same, by the name of the service. */
export function chainOriginOf(service: string, centerId: number | null, domain: string): string {
  return `${service}/chains/${centerId ?? NO_CENTER}/${encodeURIComponent(domain)}`;
}

/** The origin of the first head log. */
export function logOrigin(publicUrl: string): string {
  return `${serviceName(publicUrl)}/log`;
}

/** The origin of a head log by its number: `proof.example/log`, then `proof.example/log/2`. */
export function numberedLogOrigin(service: string, log: number): string {
  return log === 1 ? `${service}/log` : `${service}/log/${log}`;
}

/** The parts of an origin. */
export type OriginParts = {
  /** Also the name of the keys that may sign for this origin. */
  service: string;
} & (
  | { chain: { center: number; domain: string } }
  /** A head log by its number: 1 unless earlier logs were closed. */
  | { chain: null; log: number }
);

const CHAIN_ORIGIN = /^([A-Za-z0-9._~:[\]-]{1,255})\/chains\/(0|[1-9]\d{0,9})\/([a-z]{1,32})$/;
const LOG_ORIGIN = /^([A-Za-z0-9._~:[\]-]{1,255})\/log(?:\/([2-9]|[1-9]\d{1,3}))?$/;

/** Null for an origin that no Countersign service would write. */
export function parseOrigin(origin: string): OriginParts | null {
  const chain = CHAIN_ORIGIN.exec(origin);
  if (chain) return { service: chain[1]!, chain: { center: Number(chain[2]), domain: chain[3]! } };
  const log = LOG_ORIGIN.exec(origin);
  return log && { service: log[1]!, chain: null, log: Number(log[2] ?? 1) };
}

/** The key name under which a service signs for an origin. */
export function keyNameFor(origin: string): string {
  return parseOrigin(origin)?.service ?? origin;
}

/** The text that gets signed. */
export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  if (!ORIGIN.test(origin)) throw new TypeError('an origin has no space and no plus');
  if (!Number.isSafeInteger(size) || size < 0) throw new TypeError('a tree size is a whole number from 0');
  if (root.length !== ROOT_BYTES) throw new TypeError('a root has 32 bytes');
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

export function signCheckpoint(checkpoint: Checkpoint, key: NoteKey, sign: Sign): Promise<string> {
  return signNote(formatCheckpoint(checkpoint), key, sign);
}

/** Throws a TypeError for anything that is not exactly a signed checkpoint. Does not check the signature. */
export function parseCheckpoint(text: string): SignedCheckpoint {
  const note = parseSignedNote(text);
  const [origin, size, root, ...extensions] = note.text.slice(0, -1).split('\n');
  if (origin === undefined || size === undefined || root === undefined) {
    throw new TypeError('a checkpoint has an origin, a size and a root');
  }
  if (origin === '' || extensions.includes('')) throw new TypeError('a checkpoint has no empty lines');
  return { origin, ...readTree(size, root), note };
}

/** The size and root of a tree from their lines in a note. Throws a TypeError for any other text. */
export function readTree(size: string, root: string): { size: number; root: Uint8Array } {
  if (!SIZE.test(size) || !Number.isSafeInteger(Number(size)))
    throw new TypeError('the tree size is not a number');
  const rootBytes = fromBase64(root);
  if (rootBytes.length !== ROOT_BYTES) throw new TypeError('the root does not have 32 bytes');
  return { size: Number(size), root: rootBytes };
}
