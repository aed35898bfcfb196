import type { DatabaseTarget } from '@countersign/auditor/verify/options';
import { keyNameFor, noteKeyId, type TrustedKey } from '@countersign/proof-kit';
import pg from 'pg';
import { declare, prepareDeclaration } from '../../db/declared.ts';
import { verifierOf } from '../../domain/ledger/keys/key-pair.ts';
import { historicKeys } from '../../domain/ledger/keys/published.ts';
import { SigningRefused } from '../../domain/ledger/notes/faults.ts';
import { openCheckpointFile } from '../../domain/ledger/notes/file.ts';
import type { VerifyingRing } from '../../domain/ledger/notes/signatures.ts';
import { inSnapshot, type LedgerSource, SEARCH_PATH } from '../../domain/ledger/verify/source.ts';
import { makeSemaphore } from '../../lib/semaphore.ts';

const CONNECTIONS = 4;

/** A database for verification without a running service. */
export interface OpenSource extends LedgerSource {
  close(): Promise<void>;
}

/** Uses the given keys, or else the service's own key history. */
export async function openSource(
  { url, checkpointFile, dataDir, fast = false }: DatabaseTarget,
  trusted: TrustedKey[] | undefined,
  env: NodeJS.ProcessEnv = process.env,
): Promise<OpenSource> {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    application_name: 'countersign verify',
    onConnect: async (client) => {
      await client.query(`SET search_path = ${SEARCH_PATH}`);
      await prepareDeclaration(client as pg.PoolClient);
    },
  });
  // A broken connection fails its next statement.
  pool.on('error', () => {});
  // Declares all chains. The caller may be the table owner, to whom row-level security applies too.
  const db = declare(pool, 'acrossTenants');
  try {
    await db.query('SELECT 1');
    const keys = trusted ?? (await historicKeys(dataDir, db).catch(refusal));
    const service = serviceOf(keys, env);
    return {
      hashesInDatabase: fast,
      db,
      atOnce: makeSemaphore(CONNECTIONS),
      snapshot: (work) => inSnapshot(pool, work),
      file: openCheckpointFile(checkpointFile),
      ring: async () => ringOf(keys),
      originOf: (centerId, domain) => `${service}/chains/${centerId ?? 0}/${encodeURIComponent(domain)}`,
      close: () => pool.end(),
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** An invalid key history is a finding; it does not stop the command. */
function refusal(error: unknown): SigningRefused {
  if (error instanceof SigningRefused) return error;
  throw error;
}

function serviceOf(keys: TrustedKey[] | SigningRefused, env: NodeJS.ProcessEnv): string {
  const known = Array.isArray(keys) ? keys.at(-1)?.name : undefined;
  if (known !== undefined) return known;
  return URL.canParse(env['PUBLIC_URL'] ?? '') ? new URL(env['PUBLIC_URL']!).host : 'unknown';
}

/** A key applies to origins that begin with its name; a key without a name applies to all. */
function ringOf(keys: TrustedKey[] | SigningRefused): VerifyingRing {
  if (keys instanceof SigningRefused) throw keys;
  return {
    keys: keys.map(({ name }) => ({ name: name ?? null })),
    verifier(origin, keyId) {
      const service = keyNameFor(origin);
      const key = keys.find(
        ({ name = service, publicKey }) =>
          name === service && noteKeyId({ name, publicKey: Buffer.from(publicKey, 'base64') }) === keyId,
      );
      return key && verifierOf(key.publicKey);
    },
  };
}
