/**
 * Receipts: a service's signed promise that a record is at its position on a chain. A service signs once for a batch of them, so
 * a receipt has three parts with an empty line between them: the promise, its inclusion proof in the tree of the batch (RFC 9162),
 * and a signed note with the size and root of that tree.
 */
import { type Bytes, fromBase64, toBase64, utf8 } from './bytes.ts';
import { formatCheckpoint, parseOrigin } from './checkpoint.ts';
import { inclusionProofs, leafHash, rootFromInclusion } from './merkle.ts';
import { parseSignedNote, type SignedNote, signersOf } from './note.ts';
import { isRecordTimestamp } from './record.ts';
import { type Digest, sha256 } from './sha256.ts';
import type { TrustedServiceKey } from './trust.ts';

export const RECEIPT_KINDS = ['recorded', 'approved', 'rejected', 'claimed', 'outcome'] as const;

/** What happened to the decision. */
export type ReceiptKind = (typeof RECEIPT_KINDS)[number];

export interface ReceiptPromise {
  kind: ReceiptKind;
  eventId: string;
  /** The chain. */
  origin: string;
  index: number;
  /** The 32 bytes of the record's hash. */
  hash: Uint8Array;
  /** When the record was written: ISO 8601 in UTC, with milliseconds. */
  time: string;
}

export interface Receipt extends ReceiptPromise {
  service: string;
  hash: Bytes;
  /** Covers the promise, but is not verified yet: see `isSignedByService`. */
  note: SignedNote;
}

const HASH_BYTES = 32;
const MAX_LENGTH = 65_536;
const WHOLE = /^(?:0|[1-9]\d{0,9})$/;
const EVENT_ID = /^[\x21-\x7e]{1,256}$/;

const originOf = (service: string) => `${service}/receipts`;

function promiseText(service: string, { kind, eventId, origin, index, hash, time }: ReceiptPromise): string {
  return `${[originOf(service), kind, eventId, origin, index, toBase64(hash), time].join('\n')}\n`;
}

const batchText = (service: string, size: number, root: Uint8Array) =>
  formatCheckpoint({ origin: originOf(service), size, root });

/** The receipts of a batch, in order. `sign` is called once; it turns a text into a note signed by the service. */
export async function makeReceipts(
  service: string,
  promises: readonly ReceiptPromise[],
  sign: (text: string) => Promise<string>,
  digest: Digest = sha256,
): Promise<string[]> {
  const size = promises.length;
  const texts = promises.map((promise) => promiseText(service, promise));
  const { root, proofs } = inclusionProofs(
    texts.map((text) => leafHash(utf8(text), digest)),
    digest,
  );
  const note = await sign(batchText(service, size, root));
  return texts.map((text, index) => {
    const proof = [`${index} ${size}`, ...proofs[index]!.map(toBase64), ''].join('\n');
    return [text, proof, note].join('\n');
  });
}

/** Throws a TypeError for anything that is not exactly a receipt whose note covers its promise. */
export function parseReceipt(text: string): Receipt {
  if (text.length > MAX_LENGTH) throw new TypeError('the receipt is too long');
  const parts = text.split('\n\n');
  if (parts.length === 2 && /^\S+\/receipts\n/.test(text))
    throw new TypeError('it is a receipt of an older format');
  const [first, proof, signed, signatures] = parts as [string, string, string, string];
  if (parts.length !== 4) throw new TypeError('it is not a receipt');
  const note = parseSignedNote(`${signed}\n\n${signatures}`);
  const { service, ...promise } = parsePromise(first);
  const { size, root } = parseProof(proof, `${first}\n`);
  if (note.text !== batchText(service, size, root))
    throw new TypeError('its proof does not lead to the signed root');
  return { service, ...promise, note };
}

function parsePromise(text: string): Omit<Receipt, 'note'> {
  const [name = '', kind, eventId = '', origin = '', index = '', hash = '', time = '', ...more] =
    text.split('\n');
  const chain = parseOrigin(origin);
  const service = chain?.chain ? chain.service : '';
  if (name !== originOf(service) || more.length > 0) throw new TypeError('it is not a receipt');
  const known = RECEIPT_KINDS.find((each) => each === kind);
  if (!known || !EVENT_ID.test(eventId)) throw new TypeError('it names no event');
  const bytes = fromBase64(hash);
  if (!WHOLE.test(index) || bytes.length !== HASH_BYTES) throw new TypeError('it names no record');
  if (!isRecordTimestamp(time)) throw new TypeError('it has no time');
  return { service, kind: known, eventId, origin, index: Number(index), hash: bytes, time };
}

/** The size and root of the batch that the second part proves the promise to be in. */
function parseProof(text: string, promise: string): { size: number; root: Uint8Array } {
  const [place = '', ...lines] = text.split('\n');
  const [index = '', size = '', ...more] = place.split(' ');
  const hashes = lines.map(fromBase64);
  const isProof = WHOLE.test(index) && WHOLE.test(size) && more.length === 0;
  const root =
    isProof && hashes.every(({ length }) => length === HASH_BYTES)
      ? rootFromInclusion(leafHash(utf8(promise)), Number(index), Number(size), hashes)
      : null;
  if (root === null) throw new TypeError('its proof has the wrong form');
  return { size: Number(size), root };
}

/** Whether a trusted key of the service, not retired at that time, signed the note. A wrong signature of such a key does not count. */
export async function isSignedByService(
  { service, time, note }: { service: string; time: string; note: SignedNote },
  keys: readonly TrustedServiceKey[],
): Promise<boolean> {
  const own = keys.filter(({ name, until }) => name === service && (until == null || time <= until));
  return (await signersOf(note, own)).length > 0;
}
