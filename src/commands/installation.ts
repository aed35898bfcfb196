import type { Config } from '../config.ts';
import { requireCell } from '../db/cell.ts';
import { runningEmbeddedUrl } from '../db/embedded/running.ts';
import { ConfigError } from '../environment.ts';

/**
 * The database of a command, opened as the application or as the owner of the tables. A database of another cell is rejected.
 */
export async function installationUrl(
  config: Config,
  as: 'application' | 'owner' = 'application',
): Promise<string> {
  const given = as === 'owner' ? config.databaseOwnerUrl : config.databaseUrl;
  const url = given ?? runningEmbeddedUrl(config.dataDir, as);
  if (!url)
    throw new ConfigError('DATABASE_URL must be set, or a server must be running with its data in DATA_DIR');
  await requireCell(url, config.cell);
  return url;
}
