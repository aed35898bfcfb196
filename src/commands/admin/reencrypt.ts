import { rename, writeFile } from 'node:fs/promises';
import type { App } from '../../app.ts';
import { sql, typed } from '../../db/sql.ts';
import { readSealed, sealedPath, withKeyLock } from '../../domain/ledger/keys/store.ts';
import { DomainError } from '../../lib/errors.ts';

/** A column that holds encrypted text. */
interface Place {
  table: string;
  /** The columns that identify a row. */
  key: readonly string[];
  column: string;
  /** The context that the text is bound to, as in the code that encrypts it. */
  belongsTo: (key: readonly string[]) => string;
  /** Whether the column holds an array. */
  isList?: true;
}

type Sealed = string | string[];

const BATCH = 500;

/** A place with the statements that read a page of it and replace a value. */
function withStatements(place: Place) {
  const { table, key, column, isList } = place;
  const keys = key.join(', ');
  const values = (parameter: string) => key.map((_, n) => `$${parameter}.${n}`).join(', ');
  return {
    ...place,
    read: sql(null, { rowKey: 'text[]', sealed: typed<Sealed>(isList ? 'text[]' : 'text') })`
      SELECT ARRAY[${keys}] AS "rowKey", ${column} AS sealed FROM ${table}
      WHERE ${isList ? `cardinality(${column}) > 0` : `${column} IS NOT NULL`} AND (${keys}) > (${values('after')})
      ORDER BY ${keys} LIMIT ${BATCH}`,
    replace: sql(null)`
      UPDATE ${table} SET ${column} = $fresh WHERE (${keys}) = (${values('rowKey')}) AND ${column} = $sealed`,
  };
}

const webhookKey = { table: 'webhook', key: ['id'], belongsTo: ([id]: readonly string[]) => `webhook:${id}` };
const idempotencyKey = { table: 'idempotency_record', key: ['principal', 'key'] };

const ENCRYPTED: Place[] = [
  { ...webhookKey, column: 'secret' },
  { ...webhookKey, column: 'previous_secret' },
  { table: 'chat_channel', key: ['id'], column: 'url', belongsTo: ([id]) => `chat:${id}` },
  {
    table: 'identity_provider',
    key: ['center_id::text'],
    column: 'client_secret',
    belongsTo: ([centerId]) => `identity_provider:${centerId}`,
  },
  { table: 'provider_test', key: ['id'], column: 'settings', belongsTo: ([id]) => `provider_test:${id}` },
  {
    table: 'sign_in_flow',
    key: ['state_hash'],
    column: 'secrets',
    belongsTo: ([stateHash]) => `sign_in_flow:${stateHash}`,
  },
  {
    table: 'signing_key',
    key: ['public_key'],
    column: 'private_key',
    belongsTo: ([publicKey]) => `signing_key:${publicKey}`,
  },
  {
    ...idempotencyKey,
    column: 'response_body',
    belongsTo: ([principal, key]) => `answer:${principal}:${key}`,
  },
  {
    ...idempotencyKey,
    column: 'results',
    belongsTo: ([principal, key]) => `result:${principal}:${key}`,
    isList: true,
  },
];
const PLACES = ENCRYPTED.map(withStatements);

interface Reencrypted {
  /** Re-encrypted values, by table. */
  changed: Record<string, number>;
  /** Values that neither key decrypts, by table. */
  unreadable: Record<string, number>;
}

/**
 * Re-encrypts with ENCRYPTION_KEY everything in the database and in DATA_DIR that is still encrypted with
 * ENCRYPTION_KEY_PREVIOUS. Each batch commits separately, so the next run continues an interrupted one. The service may keep
 * running.
 */
export async function reencrypt(app: App): Promise<Reencrypted> {
  if (!app.vault.previous) {
    throw new DomainError(
      'VALIDATION_ERROR',
      'Set ENCRYPTION_KEY to the new key and ENCRYPTION_KEY_PREVIOUS to the old one, for this command and for all processes.',
    );
  }
  const report: Reencrypted = { changed: {}, unreadable: {} };
  for (const place of PLACES) await reencryptColumn(app, place, report);
  await withKeyLock(app, () => reencryptFile(app, report));
  return report;
}

async function reencryptColumn(app: App, place: (typeof PLACES)[number], report: Reencrypted): Promise<void> {
  const { table, key, belongsTo, read, replace } = place;
  const db = app.db.declared('acrossTenants');
  for (let after = key.map(() => ''); ; ) {
    const rows = await read.rows(db, { after });
    for (const { rowKey, sealed } of rows) {
      const fresh = reseal(app, sealed, belongsTo(rowKey), () => count(report.unreadable, table));
      if (fresh === null) continue;
      // A value that changed in the meantime is already encrypted with the new key.
      if (await replace.run(db, { fresh, rowKey, sealed })) count(report.changed, table);
    }
    if (rows.length < BATCH) return;
    after = rows.at(-1)!.rowKey;
  }
}

/** Null if there is nothing to change. */
function reseal(app: App, sealed: Sealed, belongsTo: string, onUnreadable: () => void): Sealed | null {
  const one = (text: string): string | null => {
    try {
      return app.vault.reseal(text, belongsTo);
    } catch {
      onUnreadable();
      return null;
    }
  };
  if (!Array.isArray(sealed)) return one(sealed);
  const fresh = sealed.map(one);
  return fresh.every((each) => each === null) ? null : sealed.map((text, i) => fresh[i] ?? text);
}

/** The copy of the signing keys in DATA_DIR, replaced atomically. */
async function reencryptFile(app: App, report: Reencrypted): Promise<void> {
  const { dataDir } = app.config;
  const keys = await readSealed(dataDir);
  const lines = keys.map(({ publicKey, sealed }) => {
    const belongsTo = `signing_key:${publicKey}`;
    const fresh = reseal(app, sealed, belongsTo, () => count(report.unreadable, 'signing-keys.sealed'));
    if (fresh !== null) count(report.changed, 'signing-keys.sealed');
    return JSON.stringify({ publicKey, sealed: fresh ?? sealed });
  });
  if (!report.changed['signing-keys.sealed']) return;
  const path = sealedPath(dataDir);
  await writeFile(`${path}.new`, lines.map((line) => `${line}\n`).join(''), { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

function count(totals: Record<string, number>, name: string): void {
  totals[name] = (totals[name] ?? 0) + 1;
}

export function reencryptionSummary({ changed, unreadable }: Reencrypted): string {
  const lines = Object.entries(changed).map(([name, total]) => `${name}: ${total} re-encrypted`);
  const lost = Object.entries(unreadable).map(
    ([name, total]) => `${name}: ${total} that neither key decrypts`,
  );
  const next =
    lost.length > 0
      ? 'Find the key that these were encrypted with before you remove ENCRYPTION_KEY_PREVIOUS.'
      : 'Remove ENCRYPTION_KEY_PREVIOUS after 24 hours: repeated calls are recognized with it until then.';
  return [...(lines.length > 0 ? lines : ['Nothing left to re-encrypt.']), ...lost, next, ''].join('\n');
}
