import { join, resolve } from 'node:path';
import { UsageError } from '@countersign/auditor/usage-error';
import { FILES_USAGE, type FindDatabase } from '@countersign/auditor/verify/options';
import { runningEmbeddedUrl } from '../../db/embedded/running.ts';

export const USAGE = `${FILES_USAGE('npm run verify --')}
  npm run verify -- --chain
      every chain of a database, recomputed record by record, and compared with the checkpoints in its table and in
      the file outside it
      --database postgres://…                   which one; else DATABASE_URL, else the one running in DATA_DIR
      --fast                                    let PostgreSQL compute the hashes of the records: faster, but it believes
                                                whoever administers the database
      --checkpoints <file>                      the file; else CHECKPOINT_FILE, else checkpoints.log in DATA_DIR
  Exit code 0: all is valid. 1: something is not.
`;

export const findDatabase: FindDatabase = (flags, env) => {
  const dataDir = resolve(env['DATA_DIR'] || '.data');
  const url = flags.database ?? (env['DATABASE_URL'] || runningEmbeddedUrl(dataDir));
  if (!url) {
    throw new UsageError(
      `No database: none runs in ${dataDir}. Name one with --database, or a server with --url.`,
    );
  }
  const checkpointFile = flags.checkpoints ?? (env['CHECKPOINT_FILE'] || join(dataDir, 'checkpoints.log'));
  return { kind: 'database', url, checkpointFile, dataDir, fast: flags.fast ?? false };
};
