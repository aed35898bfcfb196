import pg from 'pg';

/** What a superuser could do to the tables behind the application's back. */
export interface Target {
  chainId: number;
  index: number;
  size: number;
}

export type Tamper = (db: pg.Client, target: Target) => Promise<unknown>;

const OTHER_HASH = 'f'.repeat(64);
const ownHash = `encode(sha256(convert_to(content || coalesce(previous_hash, '') || timestamp, 'UTF8')), 'hex')`;

const change =
  (assignment: string): Tamper =>
  (db, { chainId, index }) =>
    db.query(`UPDATE ledger_record SET ${assignment} WHERE chain_id = $1 AND index = $2`, [chainId, index]);

/** Changes to one record, each found at that record. */
export const recordChanges: Record<string, Tamper> = {
  'content changed': change(`content = content || ' '`),
  'content emptied': change(`content = ''`),
  'hash changed': change(`hash = '${OTHER_HASH}'`),
  'timestamp changed': change(`timestamp = '2001-01-01T00:00:00.000Z'`),
  'text moved from timestamp to content': change(
    `content = content || left(timestamp, 1), timestamp = substr(timestamp, 2) || 'Z'`,
  ),
  'row deleted': (db, { chainId, index }) =>
    db.query('DELETE FROM ledger_record WHERE chain_id = $1 AND index = $2', [chainId, index]),
  'contents swapped with the next record': async (db, { chainId, index, size }) => {
    const other = index + 1 < size ? index + 1 : index - 1;
    await db.query(
      `UPDATE ledger_record r SET content = o.content, timestamp = o.timestamp, hash = o.hash
       FROM ledger_record o
       WHERE r.chain_id = $1 AND o.chain_id = $1 AND r.index IN ($2, $3) AND o.index IN ($2, $3) AND o.index <> r.index`,
      [chainId, index, other],
    );
  },
};

/** The first record has no previous hash to change. */
export const previousHashChanged = change(`previous_hash = '${OTHER_HASH}'`);

/** A careful forger also recomputes the hash of the record: its successor or the head reveals it. */
export const forged: Tamper = async (db, target) => {
  await change(`content = content || '!'`)(db, target);
  await change(`hash = ${ownHash}`)(db, target);
};

/** A patient forger recomputes everything that follows, including the head. */
export const rewritten: Tamper = async (db, target) => {
  await change(`content = content || '!'`)(db, target);
  const { chainId, size } = target;
  for (let index = target.index; index < size; index++) {
    const at = { chainId, size, index };
    if (index > target.index) {
      await db.query(
        `UPDATE ledger_record SET previous_hash = (SELECT hash FROM ledger_record WHERE chain_id = $1 AND index = $2 - 1)
         WHERE chain_id = $1 AND index = $2`,
        [chainId, index],
      );
    }
    await change(`hash = ${ownHash}`)(db, at);
  }
  await headFollows(db, target);
};

export const cutFrom: Tamper = (db, { chainId, index }) =>
  db.query('DELETE FROM ledger_record WHERE chain_id = $1 AND index >= $2', [chainId, index]);

/** Updates the head row to match the records. */
export const headFollows: Tamper = (db, { chainId }) =>
  db.query(
    `UPDATE ledger_chain c SET
       size = (SELECT count(*) FROM ledger_record WHERE chain_id = c.id),
       head_hash = (SELECT hash FROM ledger_record WHERE chain_id = c.id ORDER BY index DESC LIMIT 1)
     WHERE id = $1`,
    [chainId],
  );

export const indexesSwapped: Tamper = async (db, { chainId, index }) => {
  const move = (from: number, to: number) =>
    db.query('UPDATE ledger_record SET index = $3 WHERE chain_id = $1 AND index = $2', [chainId, from, to]);
  await move(index, 1_000_000);
  await move(index + 1, index);
  await move(1_000_000, index + 1);
};

/** A valid-looking record at the end that was never appended by the service. */
export const appended: Tamper = (db, { chainId, size }) =>
  db.query(
    `INSERT INTO ledger_record (chain_id, index, content, previous_hash, hash, timestamp)
     SELECT chain_id, $2, content, hash, encode(sha256(convert_to(content || hash || timestamp, 'UTF8')), 'hex'), timestamp
     FROM ledger_record WHERE chain_id = $1 AND index = $2 - 1`,
    [chainId, size],
  );

export const headChange =
  (assignment: string): Tamper =>
  (db, { chainId }) =>
    db.query(`UPDATE ledger_chain SET ${assignment} WHERE id = $1`, [chainId]);

export const besideChange =
  (table: 'dpu' | 'audit_entry', assignment: string | null): Tamper =>
  (db, { chainId, index }) =>
    db.query(
      assignment === null
        ? `DELETE FROM ${table} WHERE chain_id = $1 AND index = $2`
        : `UPDATE ${table} SET ${assignment} WHERE chain_id = $1 AND index = $2`,
      [chainId, index],
    );

const TABLES = ['ledger_chain', 'ledger_record', 'dpu', 'audit_entry', 'checkpoint'];

/** A superuser connection without triggers, and a way to restore everything. */
export async function openBackDoor(adminUrl: string, more: string[] = []) {
  const tables = [...TABLES, ...more];
  const db = new pg.Client(adminUrl);
  await db.connect();
  await db.query('SET session_replication_role = replica');
  return {
    db,
    async remember() {
      for (const table of tables) {
        await db.query(`DROP TABLE IF EXISTS kept_${table}; CREATE TABLE kept_${table} AS TABLE ${table}`);
      }
    },
    async restore() {
      const { rows } = await db.query<{ table: string; columns: string }>(
        `SELECT table_name AS table, string_agg(quote_ident(column_name), ', ') AS columns FROM information_schema.columns
         WHERE table_schema = 'public' AND table_name = ANY ($1) AND is_generated = 'NEVER' GROUP BY table_name`,
        [tables],
      );
      await db.query(
        rows
          .map(
            ({ table, columns }) =>
              `DELETE FROM ${table}; INSERT INTO ${table} (${columns}) SELECT ${columns} FROM kept_${table}`,
          )
          .join(';'),
      );
    },
    close: () => db.end(),
  };
}
