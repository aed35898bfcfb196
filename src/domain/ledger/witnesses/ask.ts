import {
  consistencyPlan,
  parseCheckpoint,
  parseSignatureLines,
  toBase64,
  verifyCosignature,
} from '@countersign/proof-kit';
import type { Witness } from '../../../environment.ts';
import { sha256Hex } from '../../../lib/crypto.ts';
import { acrossChains, type LedgerApp } from '../ledger-app.ts';
import type { Head } from '../log/current-log.ts';
import { proveInLog } from '../log/tiles.ts';
import { signedBy, tryParse, type VerifyingRing } from '../notes/signatures.ts';

/** Long enough for a witness that first reads the log's entries. */
const TIMEOUT_MS = 15_000;
const MOST_ANSWER = 64 * 1024;
const SIZE = /^(0|[1-9]\d{0,15})\n?$/;
const SIGNATURE_LINE = /^\u2014 /;

interface AskedWitness {
  /** The signature line including its newline, and its time. */
  line: string;
  signedAt: Date;
}

export class NotCosigned extends Error {
  /** The tree size that the witness reports, if any. */
  readonly size: number | null;
  /** The witness says that the log contradicts what it has seen (422) and keeps the evidence. */
  readonly isContradiction: boolean;

  constructor(message: string, { size = null, isContradiction = false }: Partial<NotCosigned> = {}) {
    super(message);
    this.name = 'NotCosigned';
    this.size = size;
    this.isContradiction = isContradiction;
  }
}

/** The witness cannot cosign now, for example because it cannot read the log. It is asked again later. */
class WitnessUnavailable extends Error {}

/**
 * Asks a witness to cosign a head (c2sp.org/tlog-witness), starting from its last known size. If the witness reports another
 * size, asks once more from there. Throws NotCosigned or the network error.
 */
export async function askWitness(
  app: LedgerApp,
  witness: Witness,
  head: Head,
  known: number,
): Promise<AskedWitness> {
  const first = await post(app, witness, head, known);
  // Witnesses of earlier versions answer 409 without a size if they have cosigned another tree of this size.
  const size = first.status === 409 ? SIZE.exec(first.text)?.[1] : undefined;
  if (size === undefined) return cosignatureOf(witness, head, first);
  if (Number(size) > head.size)
    throw new NotCosigned(`it has cosigned a larger log (${size} entries) than this one (${head.size})`, {
      size: Number(size),
    });
  const second = await post(app, witness, head, Number(size));
  if (second.status === 409 && SIZE.test(second.text))
    throw new NotCosigned('its size moved while it was being asked', { size: Number(size) });
  return cosignatureOf(witness, head, second);
}

/** The newest heads of a log that witnesses cosigned, of those that show them and can be reached. */
export async function headsOfWitnesses(
  app: LedgerApp,
  origin: string,
  ring: VerifyingRing,
): Promise<{ size: number; note: string }[]> {
  const heads = app.config.witnesses.map(async ({ url }) => {
    const response = await fetch(`${url}/${sha256Hex(origin)}/checkpoint`, {
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const note = response.ok ? (await response.text()).slice(0, MOST_ANSWER) : '';
    const head = tryParse(note);
    return head?.origin === origin && signedBy(head, ring) === 'service' ? [{ size: head.size, note }] : [];
  });
  return (await Promise.all(heads.map((head) => head.catch(() => [])))).flat();
}

interface WitnessAnswer {
  status: number;
  text: string;
}

async function post(app: LedgerApp, { url }: Witness, head: Head, old: number): Promise<WitnessAnswer> {
  const from = Math.min(old, head.size);
  const proof = await proveInLog(app, acrossChains(app), consistencyPlan(from, head.size), head);
  const body = `old ${from}\n${proof.map((hash) => `${toBase64(hash)}\n`).join('')}\n${head.note}`;
  const response = await fetch(`${url}/add-checkpoint`, {
    method: 'POST',
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = (await response.text()).slice(0, MOST_ANSWER);
  return { status: response.status, text };
}

/** This witness's own line. Other lines are ignored, as the protocol requires. */
async function cosignatureOf(
  witness: Witness,
  head: Head,
  { status, text }: WitnessAnswer,
): Promise<AskedWitness> {
  const answered = `it answered ${status}: ${text.slice(0, 200).trim()}`;
  if (status >= 500) throw new WitnessUnavailable(answered);
  if (status !== 200) throw new NotCosigned(answered, { isContradiction: status === 422 });
  const lines = text.split(/(?<=\n)/).filter((line) => SIGNATURE_LINE.test(line));
  const { note } = parseCheckpoint(head.note);
  for (const line of lines) {
    const signatures = parseSignatureLines(line);
    const { status, time } = await verifyCosignature({ text: note.text, signatures }, witness);
    if (status === 'valid') return { line, signedAt: new Date(time! * 1_000) };
  }
  throw new NotCosigned('its answer holds no valid cosignature of its key');
}
