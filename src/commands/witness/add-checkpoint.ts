import { Forked } from '@countersign/auditor/log/forked';
import {
  cosign,
  fromBase64,
  type NoteKey,
  parseCheckpoint,
  type ReadClosing,
  type SignedCheckpoint,
  signersOf,
  verifyConsistency,
} from '@countersign/proof-kit';
import { sha256Bytes } from '../../lib/crypto.ts';
import { cosignedBefore, followLog, parseFollowed, printFollowed } from './follow-log.ts';
import { carriedOver, logNameOf, NotAccepted, requireNextLog } from './later-log.ts';
import { findLog, type KnownLog, type Logs } from './logs.ts';
import type { WitnessState } from './state.ts';

/** A response of the witness protocol (c2sp.org/tlog-witness). */
export interface Answer {
  status: 200 | 400 | 403 | 404 | 409 | 422 | 503;
  body: string;
  type?: string;
}

const MOST_PROOF_LINES = 63;
const HASH_BYTES = 32;
const OLD = /^old (0|[1-9]\d{0,15})$/;

interface Request {
  old: number;
  proof: Uint8Array[];
  checkpoint: SignedCheckpoint;
  note: string;
}

function parse(body: string): Request {
  const border = body.indexOf('\n\n');
  if (border < 0) throw new TypeError('an empty line comes before the checkpoint');
  const [first, ...lines] = body.slice(0, border).split('\n');
  const old = OLD.exec(first!)?.[1];
  if (old === undefined) throw new TypeError('the first line says the old size');
  if (lines.length > MOST_PROOF_LINES) throw new TypeError('the proof is too long');
  const proof = lines.map(fromBase64);
  if (proof.some(({ length }) => length !== HASH_BYTES))
    throw new TypeError('a line of the proof is a hash of 32 bytes in base64');
  const note = body.slice(border + 2);
  return { old: Number(old), proof, checkpoint: parseCheckpoint(note), note };
}

/** The checkpoint with only its log's signatures: anyone may have added others. */
function own(note: string, keys: NoteKey[]): string {
  const border = note.lastIndexOf('\n\n') + 2;
  const lines = note.slice(border).split(/(?<=\n)/);
  return (
    note.slice(0, border) +
    lines.filter((line) => keys.some(({ name }) => line.startsWith(`\u2014 ${name} `))).join('')
  );
}

/**
 * Cosigns a checkpoint if it extends the newest cosigned one and its new entries contain no contradiction. Runs one at a time
 * per service, because reading and replacing the newest checkpoint must be atomic. Both are on disk before the response.
 */
export function makeAddCheckpoint(state: WitnessState, logs: Logs, now: () => number) {
  const turns = new Map<string, Promise<unknown>>();
  /** Logs whose published head was compared with the state, which happens once per process. */
  const compared = new Set<string>();

  async function decide(log: KnownLog, request: Request): Promise<Answer> {
    const { old, checkpoint, note: text } = request;
    const { origin, note } = checkpoint;
    const name = logNameOf(origin);
    let closings: ReadClosing[] = [];
    try {
      if (name) closings = await requireNextLog(state, log, name, text);
    } catch (error) {
      return refuse(origin, [text], error as Error);
    }
    const known = await state.latest(origin);
    const latest = known === null ? null : parseCheckpoint(known);
    if (old !== (latest?.size ?? 0))
      return { status: 409, body: `${latest?.size ?? 0}\n`, type: 'text/x.tlog.size' };
    const notes = known === null ? [text] : [known, text];
    let followed: string | null;
    try {
      requireExtends(request, latest);
      followed = log.isRead ? await follow(log.url!, checkpoint, latest, closings) : null;
    } catch (error) {
      return refuse(origin, notes, error as Error);
    }
    const line = await cosign(note.text, now(), state.key, state.sign);
    await state.keep(origin, own(text, log.keys) + line);
    // After a crash this may lag behind the checkpoint, but is never ahead of it: the missing part is read again.
    if (followed !== null) await state.keepFollowed(origin, followed);
    return { status: 200, body: line };
  }

  /** A contradiction is kept as evidence; of any other error, the service may try again. */
  async function refuse(origin: string, notes: string[], error: Error): Promise<Answer> {
    const body = `${error.message}\n`;
    if (error instanceof NotAccepted) return { status: error.status, body };
    if (!(error instanceof Forked)) return { status: 503, body };
    await state.keepEvidence({ origin, reason: error.message, notes: [...notes, ...error.notes] });
    return { status: 422, body };
  }

  async function follow(
    url: string,
    checkpoint: SignedCheckpoint,
    latest: SignedCheckpoint | null,
    closings: readonly ReadClosing[],
  ): Promise<string> {
    const { origin } = checkpoint;
    if (!compared.has(origin)) {
      const published = await cosignedBefore(url, state.key);
      const known = await sizeOf(published?.origin);
      if (published && published.size > known)
        throw new Error(
          `this witness has cosigned ${published.size} entries of ${published.origin}, its state has ${known}: it was restored ` +
            'from a backup, or its key is in use elsewhere. It cosigns nothing until it is given a new state and key',
        );
      compared.add(origin);
    }
    let stored = await state.followed(origin);
    if (closings.length > 0) {
      stored = printFollowed(await carriedOver(state, url, closings));
      // Before the first checkpoint of this log: after a crash between the two, the chains of the closed log would be unknown.
      await state.keepFollowed(origin, stored);
    }
    return printFollowed(await followLog(url, parseFollowed(stored), checkpoint, latest));
  }

  /** How much of a log was cosigned here. */
  async function sizeOf(origin: string | undefined): Promise<number> {
    const note = origin === undefined ? null : await state.latest(origin);
    return note === null ? 0 : parseCheckpoint(note).size;
  }

  return async (body: string): Promise<Answer> => {
    let request: Request;
    try {
      request = parse(body);
    } catch (error) {
      return { status: 400, body: `${(error as Error).message}\n` };
    }
    const { old, checkpoint } = request;
    const log = findLog(logs, checkpoint.origin);
    if (!log) return { status: 404, body: 'unknown log\n' };
    if ((await signersOf(checkpoint.note, log.keys)).length === 0)
      return { status: 403, body: 'no key that is trusted for this log has signed\n' };
    if (old > checkpoint.size) return { status: 400, body: 'the old size is larger than the new one\n' };
    // The logs of one service take turns, because only the newest of them is cosigned.
    const family = logNameOf(checkpoint.origin)?.service ?? checkpoint.origin;
    const before = turns.get(family) ?? Promise.resolve();
    const turn = before.catch(() => {}).then(() => decide(log, request));
    turns.set(family, turn);
    return turn;
  };
}

function requireExtends({ proof, checkpoint }: Request, latest: SignedCheckpoint | null): void {
  const { size, root } = checkpoint;
  const empty = sha256Bytes(new Uint8Array());
  if (latest?.size === size && Buffer.compare(latest.root, root) !== 0)
    throw new Forked('another tree of this size was cosigned before', []);
  if (
    !verifyConsistency(
      { first: latest ?? { size: 0, root: empty }, second: { size, root }, proof },
      sha256Bytes,
    )
  )
    throw new Forked('the proof does not lead from the old tree to this one', []);
  if (size === 0 && Buffer.compare(root, empty) !== 0)
    throw new Forked('this is not the root of an empty tree', []);
}
