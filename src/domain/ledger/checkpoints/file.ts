import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseCheckpoint, type SignedCheckpoint } from '../../../proof-kit/index.ts';

/**
 * The file outside the database to which every checkpoint is added: one line of JSON each, never changed. It is the
 * witness that survives a rewritten table. Several processes of a machine may share it.
 */
export interface CheckpointFile {
  path: string;
  /** Durable once this resolves. A note that is the latest of its chain already is not repeated. */
  append(note: string, createdAt: Date): Promise<void>;
  /** The largest checkpoint of a chain for each key that signed one, by key id as the signature lines have it. */
  latest(origin: string): Promise<ReadonlyMap<string, FiledCheckpoint>>;
}

export interface FiledCheckpoint {
  checkpoint: SignedCheckpoint;
  text: string;
}

const READ_BYTES = 1 << 20;
const NEWLINE = 0x0a;

export function openCheckpointFile(path: string): CheckpointFile {
  const byOrigin = new Map<string, Map<string, FiledCheckpoint>>();
  /** How much of the file has been taken in; always the beginning of a line. */
  let offset = 0;
  let reading: Promise<void> = Promise.resolve();

  function take(line: string): void {
    const filed = parseLine(line);
    if (!filed) return;
    const { origin, size, note } = filed.checkpoint;
    const byKey = byOrigin.get(origin) ?? new Map<string, FiledCheckpoint>();
    byOrigin.set(origin, byKey);
    for (const { keyId } of note.signatures) {
      if ((byKey.get(keyId)?.checkpoint.size ?? -1) <= size) byKey.set(keyId, filed);
    }
  }

  /** Takes in what has been added since the last time, by whomever. */
  async function readOn(): Promise<void> {
    const file = await open(path, 'r').catch(ignoreMissing);
    if (!file) return;
    try {
      const { size } = await file.stat();
      if (size < offset) {
        byOrigin.clear();
        offset = 0;
      }
      let rest = Buffer.alloc(0);
      for (let at = offset; at < size; ) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, at);
        if (bytesRead === 0) break;
        at += bytesRead;
        rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
        const end = rest.lastIndexOf(NEWLINE) + 1;
        for (const line of rest.toString('utf8', 0, end).split('\n')) take(line);
        rest = rest.subarray(end);
        offset += end;
      }
    } finally {
      await file.close();
    }
  }

  /** One reader at a time: two would take the same bytes in twice. */
  function refresh(): Promise<void> {
    reading = reading.catch(() => {}).then(readOn);
    return reading;
  }

  return {
    path,
    async append(note, createdAt) {
      await refresh();
      const { origin, note: signed } = parseCheckpoint(note);
      const known = byOrigin.get(origin);
      if (signed.signatures.every(({ keyId }) => known?.get(keyId)?.text === note)) return;
      await mkdir(dirname(path), { recursive: true });
      const file = await open(path, 'a+');
      try {
        const line = `${JSON.stringify({ createdAt: createdAt.toISOString(), note })}\n`;
        // A write that a crash cut short must not swallow the next line.
        await file.write((await endsInNewline(file)) ? line : `\n${line}`);
        await file.sync();
      } finally {
        await file.close();
      }
    },
    async latest(origin) {
      await refresh();
      return byOrigin.get(origin) ?? new Map();
    },
  };
}

/** All notes of a file, oldest first; none when there is no file. */
export async function readCheckpointLines(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(ignoreMissing);
  return (text ?? '').split('\n').flatMap((line) => parseLine(line)?.text ?? []);
}

async function endsInNewline(file: Awaited<ReturnType<typeof open>>): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === NEWLINE;
}

/** A torn or foreign line says nothing; whoever could sign would have written a whole one. */
function parseLine(line: string): FiledCheckpoint | null {
  try {
    const { note } = JSON.parse(line) as { note: string };
    return { checkpoint: parseCheckpoint(note), text: note };
  } catch {
    return null;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
