import type { Socket } from 'node:net';
import pg from 'pg';
import { currentMeter, type RowMeter } from '../../lib/row-meter.ts';

/** The parts of the driver's query and connection used here; its type definitions omit them. */
interface Connection {
  bind(portal: { statement: string; values: unknown[] }): void;
  execute(portal: { portal: string; rows: number }): void;
  stream: Socket;
}
interface DriverQuery {
  queryMode: string;
  /** Makes the statement fail when its connection is closed. */
  _canceledDueToError: unknown;
  submit(connection: pg.Connection): Error | null;
  prepare(connection: Connection): void;
  handleDataRow(message: { length: number }): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}
const DriverQuery = pg.Query as unknown as new (
  statement: string | pg.QueryConfig,
  values?: unknown[],
) => DriverQuery;

interface Declaration {
  name: string;
  values: string[];
}

/** A statement that may change something. Its rows are few, and refusing them would not undo the change. */
const CHANGES = /\b(?:INSERT|UPDATE|DELETE)\b/i;

const meterOf = (statement: string | pg.QueryConfig) =>
  CHANGES.test(typeof statement === 'string' ? statement : statement.text) ? null : currentMeter();

/** Less is quicker to read than a new connection to open. */
const MAX_IGNORED_BYTES = 1_048_576;

/**
 * Runs a statement with its declaration. If the current meter refuses its rows, it fails, and if the meter has refused earlier
 * ones, it is not sent. The pool would close the connection of a statement that fails by itself.
 */
export async function queryDeclared(
  pool: pg.Pool,
  declaration: Declaration,
  statement: string | pg.QueryConfig,
  values?: unknown[],
): Promise<pg.QueryResult> {
  const meter = meterOf(statement);
  const before = meter?.count(0);
  if (before) throw before;
  const query = new DeclaredQuery(declaration, meter, statement, values);
  const result = (await pool.query(query)) as unknown as pg.QueryResult;
  if (query.refusal) throw query.refusal;
  return result;
}

/**
 * A statement preceded by its declaration in the same round trip. Without a Sync between them both run in one implicit
 * transaction, and the declaration ends with it.
 */
class DeclaredQuery extends DriverQuery {
  #declaration: Declaration;
  #declared = false;
  /** Passed in: the connection answers in the context of another call. */
  readonly #meter: RowMeter | null;
  #stream: Socket | null = null;
  #ignoredBytes = 0;
  /** The meter's error. The rows are incomplete then. */
  refusal: Error | null = null;

  constructor(
    declaration: Declaration,
    meter: RowMeter | null,
    statement: string | pg.QueryConfig,
    values?: unknown[],
  ) {
    super(statement, values);
    this.#declaration = declaration;
    this.#meter = meter;
    this.queryMode = 'extended';
  }

  override prepare(connection: Connection): void {
    const { name, values } = this.#declaration;
    this.#stream = connection.stream;
    connection.bind({ statement: name, values });
    connection.execute({ portal: '', rows: 0 });
    super.prepare(connection);
  }

  // The first result belongs to the declaration.
  override handleDataRow(message: { length: number }): void {
    if (!this.#declared) return;
    this.refusal ??= this.#meter?.count(message.length) ?? null;
    if (this.refusal) this.#ignore(message.length, this.refusal);
    else super.handleDataRow(message);
  }

  /** Closes the connection rather than let the server send many more rows. */
  #ignore(bytes: number, refusal: Error): void {
    this.#ignoredBytes += bytes;
    if (this.#ignoredBytes <= MAX_IGNORED_BYTES || this.#stream?.destroyed) return;
    this._canceledDueToError = refusal;
    this.#stream?.destroy(refusal);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#declared) super.handleCommandComplete(message, connection);
    this.#declared = true;
  }
}
