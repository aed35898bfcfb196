// The lines of the checkpoint file: their format, and reading them.
import type { FileHandle } from 'node:fs/promises';

export type FileEntry = FiledNote | FiledStatement;

export interface FiledNote {
  note: string;
  createdAt: Date;
  /** The entry's index in the head log. */
  index?: number;
  /** The number of that log, if it is not the first. */
  log?: number;
}

interface FiledStatement {
  /** The stored form of the statement that closed a log. */
  closed: string;
  createdAt: Date;
}

/** A fixed key order keeps lines of the first log identical to those written before closed logs existed. */
export const lineOf = (entry: FileEntry) =>
  'closed' in entry
    ? { createdAt: entry.createdAt, closed: entry.closed }
    : { createdAt: entry.createdAt, log: entry.log, index: entry.index, note: entry.note };

interface Line {
  note?: unknown;
  index?: unknown;
  log?: unknown;
  closed?: unknown;
}

/** Ignore torn or foreign lines: a signer would have written a complete one. */
export function parseLine(text: string): Line | null {
  try {
    return JSON.parse(text) as Line | null;
  } catch {
    return null;
  }
}

interface Skimmed {
  note: string;
  origin: string;
  size: number;
  keyIds: string[];
}

/** The parts of a note that the index needs. Signatures are verified when the note is used. */
export function skim(note: string): Skimmed | null {
  const originEnd = note.indexOf('\n');
  const size = Number(note.slice(originEnd + 1, note.indexOf('\n', originEnd + 1)));
  if (originEnd <= 0 || !Number.isSafeInteger(size) || size < 0) return null;
  const origin = note.slice(0, originEnd);
  return { note, origin, size, keyIds: ownKeyIds(note, origin) };
}

/** Key ids in signature lines under the origin's own name: the service's keys, not those of witnesses. */
function ownKeyIds(note: string, origin: string): string[] {
  const ids: string[] = [];
  const service = origin.slice(0, Math.max(0, origin.indexOf('/')));
  const lines = note.slice(note.lastIndexOf('\n\n') + 2).split('\n');
  for (const line of lines) {
    const [, name, encoded] = line.split(' ');
    if (name && encoded && name === service)
      ids.push(Buffer.from(encoded.slice(0, 8), 'base64').toString('hex', 0, 4));
  }
  return ids;
}

const NEWLINE = 0x0a;
const READ_BYTES = 1 << 18;
/** Longer than any checkpoint, and than statements that name 10,000 chains. Longer lines are skipped without being buffered. */
const MAX_LINE_BYTES = 1 << 22;

interface FileLine {
  text: string;
  offset: number;
  /** In bytes, without the newline. */
  length: number;
}

/**
 * Reads a file's lines from an offset that is the start of a line, a few at a time, in constant memory regardless of the sizes
 * of file and lines. Text after the last newline is not a line yet. Returns the offset to continue from.
 */
export async function* readLinesFrom(file: FileHandle, from: number): AsyncGenerator<FileLine[], number> {
  const buffer = Buffer.alloc(READ_BYTES);
  /** The start of a line whose end has not been read yet. */
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let begin = from;
  for (let at = from; ; ) {
    const { bytesRead } = await file.read(buffer, 0, READ_BYTES, at);
    if (bytesRead === 0) return begin;
    const chunk = buffer.subarray(0, bytesRead);
    const lines: FileLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const length = pendingBytes + (end - start);
      if (length <= MAX_LINE_BYTES) {
        const parts = pending.length > 0 ? Buffer.concat([...pending, chunk.subarray(start, end)]) : null;
        const text = parts ? parts.toString('utf8') : chunk.toString('utf8', start, end);
        lines.push({ text, offset: begin, length });
      }
      begin += length + 1;
      pending = [];
      pendingBytes = 0;
      start = end + 1;
    }
    pendingBytes += bytesRead - start;
    if (pendingBytes > MAX_LINE_BYTES) pending = [];
    else if (start < bytesRead) pending.push(Buffer.from(chunk.subarray(start)));
    at += bytesRead;
    if (lines.length > 0) yield lines;
  }
}
