import { sha256Bytes } from '../../lib/crypto.ts';
import {
  cosign,
  fromBase64,
  type NoteKey,
  parseCheckpoint,
  type SignedCheckpoint,
  verifyConsistency,
  verifyNote,
} from '../../proof-kit/index.ts';
import type { WitnessState } from './state.ts';

/** An answer of the witness protocol (c2sp.org/tlog-witness). */
export interface Answer {
  status: 200 | 400 | 403 | 404 | 409 | 422;
  body: string;
  type?: string;
}

const MOST_PROOF_LINES = 63;
const OLD = /^old (0|[1-9]\d{0,15})$/;

interface Request {
  old: number;
  proof: Uint8Array[];
  checkpoint: SignedCheckpoint;
  note: string;
}

/** Which keys may sign for which origin. */
export type Logs = ReadonlyMap<string, NoteKey[]>;

function parse(body: string): Request {
  const border = body.indexOf('\n\n');
  if (border < 0) throw new TypeError('an empty line comes before the checkpoint');
  const [first, ...proof] = body.slice(0, border).split('\n');
  const old = OLD.exec(first!)?.[1];
  if (old === undefined) throw new TypeError('the first line says the old size');
  if (proof.length > MOST_PROOF_LINES) throw new TypeError('the proof is too long');
  const note = body.slice(border + 2);
  return { old: Number(old), proof: proof.map(fromBase64), checkpoint: parseCheckpoint(note), note };
}

/** The checkpoint with the signatures of its log alone: anybody may have added others. */
function own(note: string, keys: NoteKey[]): string {
  const border = note.lastIndexOf('\n\n') + 2;
  const lines = note.slice(border).split(/(?<=\n)/);
  return (
    note.slice(0, border) +
    lines.filter((line) => keys.some(({ name }) => line.startsWith(`\u2014 ${name} `))).join('')
  );
}

/**
 * Cosigns a checkpoint if it extends the newest one that was cosigned before. One at a time for each log: looking at the
 * newest and putting another in its place must not be torn apart. What is answered is on the disk before.
 */
export function makeAddCheckpoint(state: WitnessState, logs: Logs, now: () => number) {
  const turns = new Map<string, Promise<unknown>>();

  async function decide({ old, proof, checkpoint, note: text }: Request): Promise<Answer> {
    const { origin, size, root, note } = checkpoint;
    const known = await state.latest(origin);
    const latest = known === null ? null : parseCheckpoint(known);
    if (old !== (latest?.size ?? 0))
      return { status: 409, body: `${latest?.size ?? 0}\n`, type: 'text/x.tlog.size' };
    const empty = sha256Bytes(new Uint8Array());
    const first = latest ?? { size: 0, root: empty };
    // Without a size in its type: the caller has the right one, and asking again would change nothing.
    if (latest?.size === size && Buffer.compare(latest.root, root) !== 0)
      return { status: 409, body: 'another tree of this size was cosigned before\n' };
    if (!verifyConsistency({ first, second: { size, root }, proof }, sha256Bytes))
      return { status: 422, body: 'the proof does not lead from the old tree to this one\n' };
    if (size === 0 && Buffer.compare(root, empty) !== 0)
      return { status: 422, body: 'this is not the root of an empty tree\n' };
    const line = await cosign(note.text, now(), state.key, state.sign);
    await state.keep(origin, own(text, logs.get(origin)!) + line);
    return { status: 200, body: line };
  }

  return async (body: string): Promise<Answer> => {
    let request: Request;
    try {
      request = parse(body);
    } catch (error) {
      return { status: 400, body: `${(error as Error).message}\n` };
    }
    const { old, checkpoint } = request;
    const keys = logs.get(checkpoint.origin);
    if (!keys) return { status: 404, body: 'this log is not known here\n' };
    const statuses = await Promise.all(keys.map((key) => verifyNote(checkpoint.note, key)));
    if (statuses.includes('invalid') || !statuses.includes('valid'))
      return { status: 403, body: 'no key that is trusted for this log has signed\n' };
    if (old > checkpoint.size) return { status: 400, body: 'the old size is larger than the new one\n' };
    const before = turns.get(checkpoint.origin) ?? Promise.resolve();
    const turn = before.catch(() => {}).then(() => decide(request));
    turns.set(checkpoint.origin, turn);
    return turn;
  };
}
