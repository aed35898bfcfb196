import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { changeProfile, readProfile, useService } from '../../packages/client/src/cli/profile.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-profile-'));
  file = join(folder, 'profile.json');
  vi.stubEnv('COUNTERSIGN_PROFILE', file);
  vi.stubEnv('COUNTERSIGN_URL', '');
  vi.stubEnv('COUNTERSIGN_API_KEY', '');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

test('credentials of one service are never used for another', async () => {
  await useService('https://a.test', { apiKey: 'csk_a', refreshToken: 'of a' });
  await useService('https://evil.test/', { refreshToken: 'of evil' });
  expect(await readProfile()).toEqual({ baseUrl: 'https://evil.test/', refreshToken: 'of evil' });
  // Not by naming it in the environment either.
  expect(await readProfile({ ...process.env, COUNTERSIGN_URL: 'https://third.test' })).toEqual({
    baseUrl: 'https://third.test',
  });
  expect(await readProfile({ ...process.env, COUNTERSIGN_URL: 'https://a.test' })).toMatchObject({
    apiKey: 'csk_a',
    refreshToken: 'of a',
  });
  // Another port is another service.
  expect(await readProfile({ ...process.env, COUNTERSIGN_URL: 'https://a.test:8443' })).not.toHaveProperty(
    'apiKey',
  );
});

test('a refreshed token is stored under the service that issued it', async () => {
  await useService('https://a.test', { refreshToken: 'first' });
  await useService('https://b.test', { refreshToken: 'of b' });
  await changeProfile({ refreshToken: 'second' }, { ...process.env, COUNTERSIGN_URL: 'https://a.test' });
  expect(await readProfile()).toEqual({ baseUrl: 'https://b.test', refreshToken: 'of b' });
  expect(JSON.parse(await readFile(file, 'utf8')).services['https://a.test']).toEqual({
    refreshToken: 'second',
  });
});

test('a profile in the old format belongs to its one service', async () => {
  await writeFile(file, JSON.stringify({ baseUrl: 'https://a.test', apiKey: 'csk_a' }));
  expect(await readProfile()).toEqual({ baseUrl: 'https://a.test', apiKey: 'csk_a' });
  await useService('https://b.test', { refreshToken: 'of b' });
  expect(await readProfile()).toEqual({ baseUrl: 'https://b.test', refreshToken: 'of b' });
  expect(await readProfile({ ...process.env, COUNTERSIGN_URL: 'https://a.test' })).toMatchObject({
    apiKey: 'csk_a',
  });
});
