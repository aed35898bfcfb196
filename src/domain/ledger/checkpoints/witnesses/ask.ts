import type { Witness } from '../../../../config.ts';
import {
  consistencyPlan,
  parseCheckpoint,
  parseSignatureLines,
  toBase64,
  verifyCosignature,
} from '../../../../proof-kit/index.ts';
import type { App } from '../../../app.ts';
import type { Head } from '../log/heads.ts';
import { proveInLog } from '../log/tiles.ts';
import { everyChain } from '../queryable.ts';

const TIMEOUT_MS = 5_000;
const MOST_ANSWER = 64 * 1024;
const SIZE = /^(0|[1-9]\d{0,15})\n?$/;
const SIGNATURE_LINE = /^\u2014 /;

export interface AskedWitness {
  /** The signature line, its newline included, and its time. */
  line: string;
  signedAt: Date;
}

/** Why a witness did not cosign; `size` is the tree that it has, where it says so. */
export class NotCosigned extends Error {
  readonly size: number | null;

  constructor(message: string, size: number | null = null) {
    super(message);
    this.name = 'NotCosigned';
    this.size = size;
  }
}

/**
 * Asks a witness to cosign a head (c2sp.org/tlog-witness), from the size it was last seen to have. Where it has another
 * one it says so, and is asked once more from there. Throws NotCosigned, or what the network threw.
 */
export async function askWitness(
  app: App,
  witness: Witness,
  head: Head,
  known: number,
): Promise<AskedWitness> {
  const first = await post(app, witness, head, known);
  if (first.status !== 409) return cosignatureOf(witness, head, first);
  const size = SIZE.exec(first.text)?.[1];
  if (size === undefined) return cosignatureOf(witness, head, first);
  if (Number(size) > head.size)
    throw new NotCosigned(
      `it has cosigned a larger log (${size} entries) than this one (${head.size})`,
      Number(size),
    );
  const second = await post(app, witness, head, Number(size));
  if (second.status === 409 && SIZE.test(second.text))
    throw new NotCosigned('its size moved while it was being asked', Number(size));
  return cosignatureOf(witness, head, second);
}

interface WitnessAnswer {
  status: number;
  text: string;
}

async function post(app: App, { url }: Witness, head: Head, old: number): Promise<WitnessAnswer> {
  const from = Math.min(old, head.size);
  const proof = await proveInLog(app, everyChain(app), consistencyPlan(from, head.size), head.size);
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

/** The line of this very witness; others are passed over, as the protocol demands. */
async function cosignatureOf(
  witness: Witness,
  head: Head,
  { status, text }: WitnessAnswer,
): Promise<AskedWitness> {
  if (status !== 200) throw new NotCosigned(`it answered ${status}: ${text.slice(0, 200).trim()}`);
  const lines = text.split(/(?<=\n)/).filter((line) => SIGNATURE_LINE.test(line));
  const { note } = parseCheckpoint(head.note);
  for (const line of lines) {
    const signatures = parseSignatureLines(line);
    const { status, time } = await verifyCosignature({ text: note.text, signatures }, witness);
    if (status === 'valid') return { line, signedAt: new Date(time! * 1_000) };
  }
  throw new NotCosigned('its answer holds no valid cosignature of its key');
}
