import { hash } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseCheckpoint, type SignedCheckpoint } from '@countersign/proof-kit';
import { parseStoredClosing } from './closing.ts';
import { SigningRefused } from './faults.ts';
import { type FileEntry, lineOf, parseLine, readLinesFrom, skim } from './lines.ts';

/**
 * The append-only file outside the database that receives everything signed, one line of JSON each: the entries of the head
 * log in order, each with its index, followed by the heads. This copy survives a rewritten table. Several processes on a
 * machine may share the file. Only its index is held in memory, one row per origin.
 */
export interface CheckpointFile {
  path: string;
  /** Durable once this resolves. The caller must hold the log's lock. */
  append(lines: FileEntry[]): Promise<void>;
  /** The index row of an origin; undefined if the file has none. Takes constant time. */
  find(origin: string): FiledOrigin | undefined;
  /** Reads lines that any process has appended since; call it before using `find`. Throws if the file cannot be read. */
  refresh(): Promise<void>;
  /** The largest checkpoint of an origin, read from the file. Null if the line was changed since it was indexed. */
  read(filed: FiledOrigin): Promise<{ checkpoint: SignedCheckpoint; text: string } | null>;
  /** The origins in the index. */
  origins(): IterableIterator<string>;
  /** The stored statements that closed logs after a loss, oldest first. The losses they accept are ignored by this index. */
  statements(): readonly string[];
  /** The entries of one log from an index on, by index. Reads the whole file. */
  entriesOf(log: number, from: number): Promise<Map<number, string>>;
}

interface FiledOrigin {
  /** The size of the largest checkpoint, and a fingerprint of its text to avoid re-reading unchanged ones. */
  size: number;
  fingerprint: number;
  offset: number;
  length: number;
  /** All key ids in signature lines under this origin's own name, as 8 hex digits. */
  keyIds: ReadonlySet<string>;
}

const NEWLINE = 0x0a;
const FINGERPRINT_DIGITS = 12;

/** Only tells texts of an honest writer apart. A forger could replace the whole line anyway. */
function fingerprintOf(note: string): number {
  return Number.parseInt(hash('sha256', note, 'hex').slice(0, FINGERPRINT_DIGITS), 16);
}

/** Whether the largest note of an origin in the file is this one of the table. Then the file needs no second check. */
export function isFiled(filed: FiledOrigin | undefined, size: number | null, note: string | null): boolean {
  return note !== null && filed?.size === size && filed.fingerprint === fingerprintOf(note);
}

export function openCheckpointFile(path: string): CheckpointFile {
  let index = new Map<string, FiledOrigin>();
  let statements: string[] = [];
  const keySets = new Map<string, ReadonlySet<string>>();
  /** The offset up to which the file has been indexed; always the start of a line. */
  let offset = 0;
  let reading: Promise<void> = Promise.resolve();

  /** Few combinations of keys occur, so origins share the sets. */
  function joined(known: ReadonlySet<string> | undefined, keyIds: string[]): ReadonlySet<string> {
    if (known && keyIds.every((id) => known.has(id))) return known;
    const all = [...new Set([...(known ?? []), ...keyIds])].sort();
    const name = all.join();
    const set = keySets.get(name) ?? new Set(all);
    keySets.set(name, set);
    return set;
  }

  /** Chains that a statement accepts as truncated start over: earlier lines about them no longer count. */
  function takeStatement(statement: string): void {
    const parsed = statements.includes(statement) ? null : parseStoredClosing(statement);
    if (!parsed) return;
    statements.push(statement);
    for (const { origin } of parsed.chains) index.delete(origin);
  }

  function take(text: string, at: number, length: number): void {
    const line = parseLine(text);
    if (typeof line?.closed === 'string') takeStatement(line.closed);
    const found = typeof line?.note === 'string' ? skim(line.note) : null;
    if (!found) return;
    const known = index.get(found.origin);
    const keyIds = joined(known?.keyIds, found.keyIds);
    if (known && known.size > found.size) {
      if (keyIds !== known.keyIds) index.set(found.origin, { ...known, keyIds });
      return;
    }
    const { size } = found;
    index.set(found.origin, { size, fingerprint: fingerprintOf(found.note), offset: at, length, keyIds });
  }

  async function readOn(): Promise<void> {
    const file = await open(path, 'r').catch(ignoreMissing);
    if (!file) return;
    try {
      if ((await file.stat()).size < offset) {
        index = new Map();
        statements = [];
        offset = 0;
      }
      const lines = readLinesFrom(file, offset);
      for (;;) {
        const step = await lines.next();
        if (step.done) {
          offset = step.value;
          return;
        }
        for (const { text, offset: at, length } of step.value) take(text, at, length);
      }
    } finally {
      await file.close();
    }
  }

  return {
    path,
    find: (origin) => index.get(origin),
    origins: () => index.keys(),
    statements: () => statements,
    /** One reader at a time, or two would index the same bytes twice. */
    refresh() {
      reading = reading
        .catch(() => {})
        .then(readOn)
        .catch(unreadable);
      return reading;
    },
    async append(entries) {
      await mkdir(dirname(path), { recursive: true });
      const file = await open(path, 'a+');
      try {
        const text = entries.map((entry) => `${JSON.stringify(lineOf(entry))}\n`).join('');
        // Start a new line first if a crash left a partial one.
        await file.write((await endsInNewline(file)) ? text : `\n${text}`);
        await file.sync();
      } finally {
        await file.close();
      }
    },
    async entriesOf(log, from) {
      const entries = new Map<number, string>();
      const file = await open(path, 'r').catch(ignoreMissing);
      if (!file) return entries;
      try {
        for await (const lines of readLinesFrom(file, 0)) {
          for (const { text } of lines) {
            const line = parseLine(text);
            if (typeof line?.note !== 'string' || typeof line.index !== 'number') continue;
            if ((line.log ?? 1) === log && line.index >= from) entries.set(line.index, line.note);
          }
        }
        return entries;
      } finally {
        await file.close();
      }
    },
    async read({ offset: at, length }) {
      const file = await open(path, 'r').catch(ignoreMissing);
      if (!file) return null;
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
        const { note } = JSON.parse(buffer.toString('utf8', 0, bytesRead)) as { note: string };
        return { checkpoint: parseCheckpoint(note), text: note };
      } catch {
        return null;
      } finally {
        await file.close();
      }
    },
  };
}

async function endsInNewline(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === NEWLINE;
}

/** The file was replaced or is unreadable, so it is unknown what was signed before. */
function unreadable(error: NodeJS.ErrnoException): never {
  throw new SigningRefused(`the checkpoint file cannot be read: ${error.code ?? error.message}`, {
    cause: error,
  });
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
