import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { startThrowawayPostgres } from '../../src/db/embedded/throwaway.ts';
import { asApplication, loginOf } from '../../src/db/logins.ts';
import { migrate } from '../../src/db/migrate.ts';
import { inDatabase, runAs } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server all tests share, and the migrated database from which each takes its own copy. */
    testServer: { url: string; ownerUrl: string; adminUrl: string; template: string };
  }
}

/** One server for the whole run: TEST_DATABASE_URL (a role that may create databases), or a throwaway one. */
export default async function setup(project: TestProject) {
  const given = process.env['TEST_DATABASE_URL'];
  const server = given ? undefined : await startThrowawayPostgres();
  const url = server?.url ?? asApplication(given!);
  const ownerUrl = server?.ownerUrl ?? given!;
  const adminUrl = server?.adminUrl ?? given!;
  const template = `countersign_template_${randomBytes(6).toString('hex')}`;
  const owner = loginOf(ownerUrl);
  const teardown = async () => {
    if (!server) await runAs(adminUrl, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    await server?.stop();
  };
  try {
    await runAs(adminUrl, `CREATE DATABASE ${template} OWNER "${owner}"`);
    await migrate(inDatabase(ownerUrl, template), { login: loginOf(url) });
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide('testServer', { url, ownerUrl, adminUrl, template });
  return teardown;
}
