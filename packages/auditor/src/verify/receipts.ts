/** Receipts: a service's signed promise that a record is on a chain. Each is checked against the service's log. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  fromBase64,
  type Inclusion,
  keyNameFor,
  parseCheckpoint,
  parseOrigin,
  type SignedCheckpoint,
  type SignedNote,
  type Trust,
  type TrustedServiceKey,
  toHex,
  verifyNote,
} from '@countersign/proof-kit';
import { type Bytes, utf8 } from '@countersign/proof-kit/bytes';
import { parseSignedNote } from '@countersign/proof-kit/note';
import { printable } from '@countersign/proof-kit/printable';
import { Refutation } from '@countersign/proof-kit/sealed-content';
import { countWitnesses, quorumOf } from '@countersign/proof-kit/trust';
import { checkIncluded } from '@countersign/proof-kit/verify-tree';
import { getJson } from '../log/get.ts';
import type { ReceiptsTarget } from './options.ts';

type ReceiptVerdict = 'kept' | 'pending' | 'broken' | 'unreadable';

interface ReceiptResult {
  /** As given by the caller. */
  file: string;
  verdict: ReceiptVerdict;
  reason: string;
}

export interface Receipt {
  service: string;
  origin: string;
  index: number;
  hash: Bytes;
  time: string;
  note: SignedNote;
}

/** The service's evidence for a record: `/log/inclusion`. */
interface ShownRecord {
  checkpointSeconds?: unknown;
  inclusion?: Inclusion | null;
  head?: Inclusion | null;
}

const HASH_BYTES = 32;
const INDEX = /^(?:0|[1-9]\d{0,9})$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
/** The maximum signing interval of a service, whatever it claims. */
const MAX_CHECKPOINT_SECONDS = 300;

/** Throws a TypeError for anything that is not exactly a receipt. Does not check the signature. */
function parseReceipt(text: string): Receipt {
  const note = parseSignedNote(text);
  const [name = '', origin = '', index = '', hash = '', time = '', ...more] = note.text
    .slice(0, -1)
    .split('\n');
  const service = name.replace(/\/receipts$/, '');
  const chain = parseOrigin(origin);
  if (`${service}/receipts` !== name || chain?.service !== service || !chain.chain || more.length > 0)
    throw new TypeError('it is not a receipt');
  const bytes = fromBase64(hash);
  if (!INDEX.test(index) || bytes.length !== HASH_BYTES) throw new TypeError('it names no record');
  if (!TIME.test(time) || Number.isNaN(Date.parse(time))) throw new TypeError('it has no time');
  return { service, origin, index: Number(index), hash: bytes, time, note };
}

export async function verifyReceipts(
  { files, folder, url }: ReceiptsTarget,
  trust: Trust,
  now: () => Date = () => new Date(),
): Promise<ReceiptResult[]> {
  const results: ReceiptResult[] = [];
  for (const file of files) {
    const { verdict, reason } = await verifyReceipt(resolve(folder, file), url, trust, now());
    results.push({ file: printable(file), verdict, reason: printable(reason) });
  }
  return results;
}

type Verification = Omit<ReceiptResult, 'file'>;

async function verifyReceipt(path: string, url: string, trust: Trust, now: Date): Promise<Verification> {
  let receipt: Receipt;
  try {
    receipt = parseReceipt(noteIn(await readFile(path, 'utf8')));
  } catch (error) {
    return { verdict: 'unreadable', reason: (error as Error).message };
  }
  if (!(await isGenuine(receipt, trust.keys ?? [])))
    return { verdict: 'unreadable', reason: `it is not signed by a trusted key of ${receipt.service}` };
  const { origin, index, time } = receipt;
  const query = new URLSearchParams({ origin, index: String(index), hash: toHex(receipt.hash) });
  const shown = await getJson<ShownRecord>(`${url}/log/inclusion?${query}`);
  try {
    const missing = await missingIn(shown, receipt, trust);
    if (missing === null) return { verdict: 'kept', reason: `record ${index} of ${origin} is in the log` };
    const age = now.getTime() - Date.parse(time);
    return { verdict: age < patienceMs(shown) ? 'pending' : 'broken', reason: missing };
  } catch (error) {
    if (!(error instanceof Refutation || error instanceof TypeError)) throw error;
    return { verdict: 'broken', reason: error.message };
  }
}

/** The receipt alone, or the response that contains it. */
function noteIn(text: string): string {
  if (!text.startsWith('{')) return text.replace(/\n+$/, '\n');
  const answer = JSON.parse(text) as { data?: { receipt?: unknown }; receipt?: unknown };
  const receipt = answer.data?.receipt ?? answer.receipt;
  if (typeof receipt !== 'string') throw new TypeError('it holds no receipt');
  return receipt;
}

/** Signed by a trusted key of the service before that key was retired. */
async function isGenuine(
  { service, time, note }: Receipt,
  keys: readonly TrustedServiceKey[],
): Promise<boolean> {
  const own = keys.filter(({ name, until }) => name === service && (until == null || time <= until));
  const statuses = await Promise.all(own.map((key) => verifyNote(note, key)));
  return statuses.includes('valid') && !statuses.includes('invalid');
}

function patienceMs({ checkpointSeconds }: ShownRecord): number {
  const seconds = typeof checkpointSeconds === 'number' ? checkpointSeconds : 0;
  return 2 * Math.min(Math.max(seconds, 0), MAX_CHECKPOINT_SECONDS) * 1_000;
}

/**
 * What is still missing for the record to be in the signed log, or null. Throws a Refutation if the service shows something
 * else in its place, or nothing signed by its key.
 */
async function missingIn(
  { inclusion, head }: ShownRecord,
  { service, origin, index, hash }: Receipt,
  trust: Trust,
): Promise<string | null> {
  if (!inclusion) return `the log has no signed record ${index} of ${origin}`;
  const checkpoint = await signedCheckpoint(inclusion.checkpoint, origin, trust);
  if (inclusion.leafIndex !== index) throw new Refutation(`the service shows another record than ${index}`);
  checkIncluded(hash, inclusion, checkpoint, 'the inclusion of the record');
  if (!head) return `the checkpoint of ${origin} is not in the log`;
  const logHead = await signedCheckpoint(head.checkpoint, `${service}/log`, trust);
  checkIncluded(utf8(inclusion.checkpoint), head, logHead, 'the inclusion of the checkpoint');
  const witnesses = await countWitnesses(logHead, trust);
  const quorum = quorumOf(trust);
  return witnesses < quorum ? `the head of the log is cosigned by ${witnesses} of ${quorum} witnesses` : null;
}

async function signedCheckpoint(
  text: string,
  origin: string,
  { keys = [] }: Trust,
): Promise<SignedCheckpoint> {
  const checkpoint = parseCheckpoint(text);
  if (checkpoint.origin !== origin)
    throw new Refutation(`the service shows a checkpoint of ${checkpoint.origin}`);
  const own = keys.filter(({ name }) => name === keyNameFor(origin));
  const statuses = await Promise.all(own.map((key) => verifyNote(checkpoint.note, key)));
  if (statuses.includes('invalid') || !statuses.includes('valid'))
    throw new Refutation(`a checkpoint of ${origin} is not signed by a trusted key`);
  return checkpoint;
}

const CODES: Record<ReceiptVerdict, number> = { kept: 0, broken: 1, unreadable: 2, pending: 3 };

/** The worst verdict, in order of severity. */
export function receiptsExitCode(results: readonly ReceiptResult[]): number {
  const codes = results.map(({ verdict }) => CODES[verdict]);
  return [1, 2, 3].find((code) => codes.includes(code)) ?? 0;
}
