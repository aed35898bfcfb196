import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** What `login` stores for one service. */
export interface Credentials {
  apiKey?: string;
  refreshToken?: string;
  /** The newest event that `listen` has forwarded. */
  lastEventId?: string;
}

/** A service and its stored values. */
export interface Profile extends Credentials {
  baseUrl: string;
}

/** The file: credentials by origin, so that no service ever gets those of another. */
interface Stored {
  /** The current service. */
  baseUrl: string;
  services: Record<string, Credentials>;
}

const FIRST_URL = 'http://localhost:4000';

export function profilePath(env = process.env): string {
  const folder = env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
  return env['COUNTERSIGN_PROFILE'] ?? join(folder, 'countersign', 'profile.json');
}

const originOf = (baseUrl: string) => new URL(baseUrl).origin;

async function readStored(env: NodeJS.ProcessEnv): Promise<Stored> {
  const text = await readFile(profilePath(env), 'utf8').catch(() => '{}');
  const { baseUrl = FIRST_URL, services, ...credentials } = JSON.parse(text) as Partial<Stored> & Credentials;
  // Older files hold the credentials of a single service.
  return { baseUrl, services: services ?? { [originOf(baseUrl)]: credentials } };
}

/** The environment takes precedence over stored values. Credentials are those of the service being called. */
export async function readProfile(env = process.env): Promise<Profile> {
  const stored = await readStored(env);
  const baseUrl = env['COUNTERSIGN_URL'] || stored.baseUrl;
  const apiKey = env['COUNTERSIGN_API_KEY'];
  return { baseUrl, ...stored.services[originOf(baseUrl)], ...(apiKey && { apiKey }) };
}

/**
 * Written to a temporary file and renamed, so a killed program leaves the old or the new version. Readable only by its owner.
 */
async function writeStored(stored: Stored, env = process.env): Promise<void> {
  const path = profilePath(env);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const beside = `${path}.${process.pid}`;
  await writeFile(beside, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
  await chmod(beside, 0o600);
  await rename(beside, path);
}

/** Stores a value for the current service. */
export async function changeProfile(changes: Credentials, env = process.env): Promise<void> {
  const { baseUrl } = await readProfile(env);
  await remember(baseUrl, changes, env);
}

/** Stores credentials of a service and makes it the current one. */
export async function useService(baseUrl: string, credentials: Credentials): Promise<void> {
  await remember(baseUrl, credentials, process.env, baseUrl);
}

/** Removes all credentials of the current service. */
export async function deleteCredentials(env = process.env): Promise<void> {
  const { baseUrl, services } = await readStored(env);
  const { [originOf(env['COUNTERSIGN_URL'] || baseUrl)]: _, ...others } = services;
  await writeStored({ baseUrl, services: others }, env);
}

async function remember(
  service: string,
  changes: Credentials,
  env: NodeJS.ProcessEnv,
  current?: string,
): Promise<void> {
  const { baseUrl, services } = await readStored(env);
  const origin = originOf(service);
  await writeStored(
    { baseUrl: current ?? baseUrl, services: { ...services, [origin]: { ...services[origin], ...changes } } },
    env,
  );
}
