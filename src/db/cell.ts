import pg from 'pg';
import { OperatorFault } from '../lib/errors.ts';
import { CELL_LETTERS } from '../lib/ids.ts';

/** Center ids per cell. All ids have at most nine digits, as list cursors require. */
const CENTERS_PER_CELL = 40_000_000;

interface Bounds {
  first: number;
  last: number;
}

/** The range of center ids of a cell: 1 to 40,000,000 for a, the next 40,000,000 for b. */
function centerIdsOf(cell: string): Bounds {
  const before = CELL_LETTERS.indexOf(cell) * CENTERS_PER_CELL;
  return { first: before + 1, last: before + CENTERS_PER_CELL };
}

/** The cell to which the sequence of center ids is bound, or null before the first start. */
async function boundCell(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<Bounds>(
    `SELECT min_value::int AS first, max_value::int AS last FROM pg_sequences
     WHERE schemaname = current_schema() AND sequencename = 'center_id_seq'`,
  );
  const [bounds] = rows;
  const same = (cell: string) =>
    centerIdsOf(cell).first === bounds?.first && centerIdsOf(cell).last === bounds.last;
  return [...CELL_LETTERS].find(same) ?? null;
}

async function ownsSequence(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ owns: boolean }>(
    `SELECT pg_has_role(relowner, 'USAGE') AS owns FROM pg_class WHERE oid = 'center_id_seq'::regclass`,
  );
  return rows[0]!.owns;
}

const otherCell = (found: string, cell: string) =>
  new OperatorFault(
    `CELL must be ${found} on this database: its centers have ids of cell ${found}, and CELL is ${cell}`,
  );

/** Throws if the database belongs to another cell. */
export async function requireCell(databaseUrl: string, cell: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const found = await boundCell(client);
    if (found !== null && found !== cell) throw otherCell(found, cell);
  });
}

/**
 * Binds the ids of new centers to the range of the cell. The cell can change only while the database has no centers. A login
 * that does not own the tables changes nothing: unbound ids start at 1, the start of cell a.
 */
export async function bindCenterIds(ownerUrl: string, cell: string): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    const found = await boundCell(client);
    if (found === cell) return;
    if (!(await ownsSequence(client))) {
      if (found !== null) throw otherCell(found, cell);
      if (cell === CELL_LETTERS[0]) return;
      throw new OperatorFault(
        `CELL ${cell} has to be set up by the owner of the tables: start once with DATABASE_OWNER_URL`,
      );
    }
    const { first, last } = centerIdsOf(cell);
    // Row-level security applies to the table owner too.
    await client.query(`BEGIN; SET LOCAL cs.centers = '*'`);
    // When processes start at the same time, the second one reads what the first one decided.
    await client.query('LOCK TABLE center IN SHARE ROW EXCLUSIVE MODE');
    const { rows } = await client.query<{ lowest: number | null; highest: number | null }>(
      'SELECT min(id) AS lowest, max(id) AS highest FROM center',
    );
    const { lowest, highest } = rows[0]!;
    if (lowest !== null && (lowest < first || highest! > last)) {
      throw otherCell([...CELL_LETTERS].find((each) => centerIdsOf(each).last >= lowest) ?? 'a', cell);
    }
    const restart = highest === null ? `START ${first} RESTART ${first}` : `START ${first}`;
    await client.query(`ALTER SEQUENCE center_id_seq MINVALUE ${first} MAXVALUE ${last} ${restart}`);
    await client.query('COMMIT');
  });
}

async function withClient(url: string, use: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(url);
  // Statements report a broken connection; this listener covers the time between them.
  client.on('error', () => {});
  try {
    await client.connect();
    await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}
