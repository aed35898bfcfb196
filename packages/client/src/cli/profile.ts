import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** What `login` remembers; readable by its owner alone. */
export interface Profile {
  baseUrl: string;
  apiKey?: string;
  refreshToken?: string;
  /** The newest event that `listen` has passed on. */
  lastEventId?: string;
}

export function profilePath(env = process.env): string {
  const folder = env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
  return env['COUNTERSIGN_PROFILE'] ?? join(folder, 'countersign', 'profile.json');
}

/** The environment goes before what was remembered. */
export async function readProfile(env = process.env): Promise<Profile> {
  const kept = await readFile(profilePath(env), 'utf8').then(
    (text) => JSON.parse(text) as Profile,
    () => ({ baseUrl: 'http://localhost:4000' }) as Profile,
  );
  const { COUNTERSIGN_URL: baseUrl, COUNTERSIGN_API_KEY: apiKey } = env;
  return { ...kept, ...(baseUrl && { baseUrl }), ...(apiKey && { apiKey }) };
}

/** Written beside and renamed: a killed program leaves the old one or the new one. */
export async function writeProfile(profile: Profile, env = process.env): Promise<void> {
  const path = profilePath(env);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const beside = `${path}.${process.pid}`;
  await writeFile(beside, `${JSON.stringify(profile, null, 2)}\n`, { mode: 0o600 });
  await chmod(beside, 0o600);
  await rename(beside, path);
}

export async function changeProfile(changes: Partial<Profile>): Promise<void> {
  await writeProfile({
    ...(await readProfile({ ...process.env, COUNTERSIGN_URL: '', COUNTERSIGN_API_KEY: '' })),
    ...changes,
  });
}
