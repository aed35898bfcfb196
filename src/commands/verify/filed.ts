import { checkpointNotes } from '../../domain/ledger/checkpoints/file.ts';
import {
  keyNameFor,
  parseCheckpoint,
  type SignedCheckpoint,
  type TrustedKey,
  verifyNote,
} from '../../proof-kit/index.ts';

const ROOT_BYTES = 32;
const ROW_BYTES = 8 + ROOT_BYTES;

/** Sizes and roots in a row of bytes: a file may hold millions of them. */
export class SignedRoots {
  #rows = Buffer.alloc(ROW_BYTES * 4);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(size: number, root: Uint8Array): void {
    const at = this.#length * ROW_BYTES;
    if (at === this.#rows.length) this.#rows = Buffer.concat([this.#rows, Buffer.alloc(at)]);
    this.#rows.writeDoubleBE(size, at);
    this.#rows.set(root, at + 8);
    this.#length++;
  }

  *[Symbol.iterator](): Generator<{ size: number; root: string }> {
    for (let at = 0; at < this.#length * ROW_BYTES; at += ROW_BYTES) {
      yield { size: this.#rows.readDoubleBE(at), root: this.#rows.toString('hex', at + 8, at + ROW_BYTES) };
    }
  }
}

/** What the file outside the database says about one origin. */
export interface FiledOrigin {
  genuine: SignedRoots;
  /** Lines whose key nobody knows. */
  foreign: number;
}

/** The file read through once, whatever its size: what a known key signed is kept, as sizes and roots only. */
export async function readFiled(path: string, keys: TrustedKey[]): Promise<Map<string, FiledOrigin>> {
  const filed = new Map<string, FiledOrigin>();
  for await (const note of checkpointNotes(path)) {
    const checkpoint = tryParse(note);
    if (!checkpoint) continue;
    const known = filed.get(checkpoint.origin) ?? { genuine: new SignedRoots(), foreign: 0 };
    filed.set(checkpoint.origin, known);
    if (await isSigned(checkpoint, keys)) known.genuine.add(checkpoint.size, checkpoint.root);
    else known.foreign++;
  }
  return filed;
}

/** A key counts for the origins that begin with its name. */
export async function isSigned({ origin, note }: SignedCheckpoint, keys: TrustedKey[]): Promise<boolean> {
  const service = keyNameFor(origin);
  for (const { name = service, publicKey } of keys) {
    const key = { name, publicKey: Buffer.from(publicKey, 'base64') };
    if (name === service && (await verifyNote(note, key)) === 'valid') return true;
  }
  return false;
}

export function tryParse(note: string): SignedCheckpoint | null {
  try {
    return parseCheckpoint(note);
  } catch {
    return null;
  }
}
