/** Receipts: a service's signed promise that a record is on a chain. Each is checked against the service's log. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  declaresLost,
  type Inclusion,
  keyNameFor,
  parseCheckpoint,
  parseOrigin,
  type SignedCheckpoint,
  signersOf,
  type Trust,
  toHex,
} from '@countersign/proof-kit';
import { utf8 } from '@countersign/proof-kit/bytes';
import { printable } from '@countersign/proof-kit/printable';
import { isSignedByService, parseReceipt, type Receipt } from '@countersign/proof-kit/receipt';
import { Refutation } from '@countersign/proof-kit/sealed-content';
import { countWitnesses, quorumOf } from '@countersign/proof-kit/trust';
import { checkIncluded } from '@countersign/proof-kit/verify-tree';
import { readClosings } from '../log/closings.ts';
import { getJson } from '../log/get.ts';
import type { ReceiptsTarget } from './options.ts';

export type ReceiptVerdict = 'kept' | 'pending' | 'broken' | 'lost' | 'unreadable';

interface ReceiptResult {
  /** As given by the caller. */
  file: string;
  verdict: ReceiptVerdict;
  reason: string;
}

/** The service's evidence for a record: `/log/inclusion`. */
interface ShownRecord {
  checkpointSeconds?: unknown;
  inclusion?: Inclusion | null;
  head?: Inclusion | null;
}

/** The maximum signing interval of a service, whatever it claims. */
const MAX_CHECKPOINT_SECONDS = 300;

export async function verifyReceipts(
  target: ReceiptsTarget,
  trust: Trust,
  now: () => Date = () => new Date(),
): Promise<ReceiptResult[]> {
  const results: ReceiptResult[] = [];
  for (const file of target.files) {
    const { verdict, reason } = await verifyReceipt(file, target, trust, now());
    results.push({ file: printable(file), verdict, reason: printable(reason) });
  }
  return results;
}

type Verification = Omit<ReceiptResult, 'file'>;

async function verifyReceipt(
  file: string,
  { folder, url, eventId }: ReceiptsTarget,
  trust: Trust,
  now: Date,
): Promise<Verification> {
  let receipt: Receipt;
  try {
    receipt = parseReceipt(receiptIn(await readFile(resolve(folder, file), 'utf8')));
  } catch (error) {
    return { verdict: 'unreadable', reason: (error as Error).message };
  }
  if (!(await isSignedByService(receipt, trust.keys ?? [])))
    return { verdict: 'unreadable', reason: `it is not signed by a trusted key of ${receipt.service}` };
  if (eventId !== undefined && eventId !== receipt.eventId)
    return { verdict: 'broken', reason: `it is about event ${receipt.eventId}` };
  const { origin, index, time, kind } = receipt;
  const query = new URLSearchParams({ origin, index: String(index), hash: toHex(receipt.hash) });
  const shown = await getJson<ShownRecord>(`${url}/log/inclusion?${query}`);
  try {
    const missing = await missingIn(shown, receipt, trust);
    if (missing === null) {
      const reason = `record ${index} of ${origin} is in the log (${kind} ${receipt.eventId})`;
      return { verdict: 'kept', reason };
    }
    const lostAt = shown.inclusion ? null : await declaredLoss(url, receipt, trust);
    if (lostAt !== null) return { verdict: 'lost', reason: `declared at ${lostAt}` };
    const age = now.getTime() - Date.parse(time);
    return { verdict: age < patienceMs(shown) ? 'pending' : 'broken', reason: missing };
  } catch (error) {
    if (!(error instanceof Refutation || error instanceof TypeError)) throw error;
    return { verdict: 'broken', reason: error.message };
  }
}

/** When the service declared the place of the record lost, or null. A place can be written again after the declaration. */
async function declaredLoss(
  url: string,
  { service, origin, index, time }: Receipt,
  { keys = [] }: Trust,
): Promise<string | null> {
  for (const closing of await readClosings(url)) {
    const { at, note } = closing;
    const isNamed = time <= at && declaresLost(closing, origin, index);
    if (isNamed && (await isSignedByService({ service, time: at, note }, keys))) return at;
  }
  return null;
}

/** The receipt alone, or the response that contains it. */
function receiptIn(text: string): string {
  if (!text.startsWith('{')) return text.replace(/\n+$/, '\n');
  const answer = JSON.parse(text) as { data?: { receipt?: unknown }; receipt?: unknown };
  const receipt = answer.data?.receipt ?? answer.receipt;
  if (typeof receipt !== 'string') throw new TypeError('it holds no receipt');
  return receipt;
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
  const checkpoint = await signedCheckpoint(inclusion.checkpoint, trust);
  if (checkpoint.origin !== origin)
    throw new Refutation(`the service shows a checkpoint of ${checkpoint.origin}`);
  if (inclusion.leafIndex !== index) throw new Refutation(`the service shows another record than ${index}`);
  checkIncluded(hash, inclusion, checkpoint, 'the inclusion of the record');
  if (!head) return `the checkpoint of ${origin} is not in the log`;
  const logHead = await signedCheckpoint(head.checkpoint, trust);
  const log = parseOrigin(logHead.origin);
  if (log?.service !== service || log.chain !== null)
    throw new Refutation(`${logHead.origin} is not a log of ${service}`);
  checkIncluded(utf8(inclusion.checkpoint), head, logHead, 'the inclusion of the checkpoint');
  const witnesses = await countWitnesses(logHead, trust);
  const quorum = quorumOf(trust);
  return witnesses < quorum ? `the head of the log is cosigned by ${witnesses} of ${quorum} witnesses` : null;
}

async function signedCheckpoint(text: string, { keys = [] }: Trust): Promise<SignedCheckpoint> {
  const checkpoint = parseCheckpoint(text);
  const own = keys.filter(({ name }) => name === keyNameFor(checkpoint.origin));
  if ((await signersOf(checkpoint.note, own)).length === 0)
    throw new Refutation(`a checkpoint of ${checkpoint.origin} is not signed by a trusted key`);
  return checkpoint;
}
