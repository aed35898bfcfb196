import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ConfigError, type Ground } from '../config.ts';
import { folderFault } from '../lib/folders.ts';
import { type HeldPort, holdPort } from './port.ts';

/** How long the faults found so far wait for a database that does not answer. */
const PATIENCE_MS = 1_500;
const CONNECT_MS = 10_000;

/**
 * Takes what the machine must give before anything is made: the port, a folder to write to, a database that answers. All
 * of them are tried, so that whoever starts the service hears of every fault at once.
 */
export async function takeGround(ground: Partial<Ground>): Promise<HeldPort | null> {
  const database = databaseFaults(ground);
  const port = await portOf(ground).catch(asFaults);
  const quick = [...(isFaults(port) ? port : []), ...dataDirFaults(ground)];
  const slow = await (quick.length > 0 ? Promise.race([database, sleep(PATIENCE_MS, [])]) : database);
  const faults = [...quick, ...slow];
  if (faults.length === 0 && !isFaults(port)) return port;
  if (!isFaults(port)) await port?.close();
  throw new ConfigError(faults);
}

/** The same tried out and given back, for a start that fails anyway. */
export async function groundFaults(ground: Partial<Ground>): Promise<readonly string[]> {
  const port = await takeGround(ground).catch(asFaults);
  if (isFaults(port)) return port;
  await port?.close();
  return [];
}

async function portOf({ runsApi, host, port }: Partial<Ground>): Promise<HeldPort | null> {
  return runsApi && host !== undefined && port !== undefined ? holdPort(host, port) : null;
}

const isFaults = (result: HeldPort | null | readonly string[]): result is readonly string[] =>
  Array.isArray(result);

function asFaults(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.faults;
  throw error;
}

function dataDirFaults({ dataDir }: Partial<Ground>): string[] {
  const fault = dataDir && folderFault(dataDir);
  return fault ? [`DATA_DIR must be a folder that can be written to: ${dataDir}: ${fault}`] : [];
}

async function databaseFaults(ground: Partial<Ground>): Promise<string[]> {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_OWNER_URL } = ground;
  const given = { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_OWNER_URL };
  const faults = Object.entries(given).map(async ([name, url]) => {
    const reason = url && (await connectFault(url));
    return reason ? [`${name} must lead to a database that can be used: ${reason}`] : [];
  });
  return (await Promise.all(faults)).flat();
}

async function connectFault(url: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  // A server that hangs up later says so to whoever uses it then.
  client.on('error', () => {});
  try {
    await client.connect();
    return null;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return (message || code || 'it cannot be reached').split('\n')[0]!;
  } finally {
    await client.end().catch(() => {});
  }
}
