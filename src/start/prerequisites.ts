import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ConfigError, type Prerequisites } from '../environment.ts';
import { folderFault } from '../lib/folders.ts';
import { type HeldPort, holdPort } from './port.ts';

/** How long errors found so far are held back while the database does not answer. */
const PATIENCE_MS = 1_500;
const CONNECT_MS = 10_000;
/** The interval between attempts to reach an unavailable database. */
const RETRY_MS = 500;

/** A server that is starting, restarting or not there yet, as opposed to one that rejects us. */
const AWAY =
  /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|57P0[123]|53300)$/;
const AWAY_WORDS = /timeout expired|Connection terminated/;

/** Callbacks while a start waits for its database. */
interface Waiting {
  /** Called once, with the reason. */
  onWait(reason: string): void;
  /** Ends the wait and the start. */
  stop: AbortSignal;
}

/**
 * Checks what the machine must provide before anything is created: the port, a writable folder, a database that answers. All
 * are checked, so all errors are reported at once.
 */
export async function acquirePrerequisites(
  prerequisites: Partial<Prerequisites>,
  waiting?: Waiting,
): Promise<HeldPort | null> {
  const database = databaseFaults(prerequisites);
  const port = await portOf(prerequisites).catch(asFaults);
  const quick = [...(isFaults(port) ? port : []), ...dataDirFaults(prerequisites)];
  let slow = await (quick.length > 0 ? Promise.race([database, sleep(PATIENCE_MS, [])]) : database);
  if (waiting && quick.length === 0) slow = await outlasted(prerequisites, waiting, slow);
  const faults = [...quick, ...slow.map(({ line }) => line)];
  if (faults.length === 0 && !isFaults(port)) return port;
  if (!isFaults(port)) await port?.close();
  throw new ConfigError(faults);
}

/** The same checks without keeping the resources, for a start that fails anyway. */
export async function prerequisiteFaults(prerequisites: Partial<Prerequisites>): Promise<readonly string[]> {
  const port = await acquirePrerequisites(prerequisites).catch(asFaults);
  if (isFaults(port)) return port;
  await port?.close();
  return [];
}

async function portOf({ runsApi, host, port }: Partial<Prerequisites>): Promise<HeldPort | null> {
  return runsApi && host !== undefined && port !== undefined ? holdPort(host, port) : null;
}

const isFaults = (result: HeldPort | null | readonly string[]): result is readonly string[] =>
  Array.isArray(result);

function asFaults(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.faults;
  throw error;
}

function dataDirFaults({ dataDir }: Partial<Prerequisites>): string[] {
  const fault = dataDir && folderFault(dataDir);
  return fault ? [`DATA_DIR must be a folder that can be written to: ${dataDir}: ${fault}`] : [];
}

/** The remaining errors after an unavailable database has had time to come up. */
async function outlasted(
  prerequisites: Partial<Prerequisites>,
  { onWait, stop }: Waiting,
  first: DatabaseFault[],
): Promise<DatabaseFault[]> {
  const until = Date.now() + (prerequisites.databaseWaitSeconds ?? 0) * 1_000;
  const mayCome = (faults: DatabaseFault[]) => faults.length > 0 && faults.every(({ away }) => away);
  if (!mayCome(first) || Date.now() >= until) return first;
  onWait(first[0]!.reason);
  for (let faults = first; ; ) {
    await sleep(RETRY_MS, undefined, { signal: stop }).catch(() => {});
    faults = await databaseFaults(prerequisites);
    if (!mayCome(faults) || Date.now() >= until || stop.aborted) return faults;
  }
}

interface DatabaseFault {
  line: string;
  reason: string;
  /** Whether the error may resolve by itself. */
  away: boolean;
}

async function databaseFaults(prerequisites: Partial<Prerequisites>): Promise<DatabaseFault[]> {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_OWNER_URL } = prerequisites;
  const given = { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_OWNER_URL };
  const faults = Object.entries(given).map(async ([name, url]) => {
    const fault = url && (await connectFault(url));
    return fault
      ? [{ ...fault, line: `${name} must lead to a database that can be used: ${fault.reason}` }]
      : [];
  });
  return (await Promise.all(faults)).flat();
}

async function connectFault(url: string): Promise<Omit<DatabaseFault, 'line'> | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  // If the connection breaks later, its next statement fails.
  client.on('error', () => {});
  try {
    await client.connect();
    return null;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return {
      reason: (message || code || 'it cannot be reached').split('\n')[0]!,
      away: AWAY.test(code ?? '') || AWAY_WORDS.test(message),
    };
  } finally {
    await client.end().catch(() => {});
  }
}
