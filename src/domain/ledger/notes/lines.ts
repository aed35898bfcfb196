import type { FileHandle } from 'node:fs/promises';

const NEWLINE = 0x0a;
const READ_BYTES = 1 << 18;
/** Longer than any checkpoint. Longer lines are skipped without being buffered. */
const MAX_LINE_BYTES = 1 << 18;

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
