import { isAddress, UsageError } from '@countersign/auditor/arguments';
import { type NoteKey, parseOrigin, parseVerifierKey } from '@countersign/proof-kit';

/** A log that the witness knows. */
export interface KnownLog {
  /** Any of these keys may sign its heads. */
  keys: NoteKey[];
  /** The URL of its service; null if it was not given. */
  url: string | null;
  /** Whether its entries are read before a head is cosigned. */
  isRead: boolean;
}

export type Logs = ReadonlyMap<string, KnownLog>;

/** A known log by its origin. This includes the successors of a log that was closed after a loss, `NAME/log/2` and so on. */
export function findLog(logs: Logs, origin: string): KnownLog | undefined {
  const parts = parseOrigin(origin);
  return logs.get(parts?.chain === null ? `${parts.service}/log` : origin);
}

/**
 * Reads `VKEY` or `VKEY URL`. A key signs for the head log of its service and, as is common for other logs, for a log with the
 * key's own name. The entries of such a log have another format and are not read.
 */
export function readLogs(lines: string[], headsOnly: boolean): Map<string, KnownLog> {
  const logs = new Map<string, KnownLog>();
  for (const line of lines) addLog(logs, line, headsOnly);
  return logs;
}

export function addLog(logs: Map<string, KnownLog>, line: string, headsOnly = false): void {
  const [vkey = '', address, ...more] = line.trim().split(/\s+/);
  let key: NoteKey;
  try {
    key = parseVerifierKey(vkey);
  } catch (error) {
    throw new UsageError(`--log ${line}: ${(error as Error).message}`);
  }
  if (more.length > 0 || (address !== undefined && !isAddress(address)))
    throw new UsageError(`--log ${line}: write "VKEY URL", the URL being that of the service`);
  const url = address === undefined ? null : address.replace(/\/+$/, '');
  add(`${key.name}/log`, key, url);
  add(key.name, key, null);

  function add(origin: string, own: NoteKey, from: string | null): void {
    const known = logs.get(origin);
    if (known?.url && from && known.url !== from)
      throw new UsageError(`--log ${line}: the log is read from ${known.url} already`);
    const given = known?.url ?? from;
    logs.set(origin, {
      keys: [...(known?.keys ?? []), own],
      url: given,
      isRead: given !== null && !headsOnly,
    });
  }
}
