import type { Socket } from 'node:net';
import pg from 'pg';
import { currentMeter } from '../../lib/row-meter.ts';

/** The parts of the driver's query and connection used here; its type definitions omit them. */
interface Connection {
  bind(portal: { statement: string; values: unknown[] }): void;
  execute(portal: { portal: string; rows: number }): void;
  stream: Socket;
}
interface DriverQuery {
  queryMode: string;
  /** Makes the statement fail when its answer is complete, or its connection is closed. */
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

/**
 * A statement preceded by its declaration in the same round trip. Without a Sync between them both run in one implicit
 * transaction, and the declaration ends with it.
 */
export class DeclaredQuery extends DriverQuery {
  #declaration: Declaration;
  #declared = false;
  /** Looked up now: the connection answers in the context of another call. */
  readonly #meter = currentMeter();
  #stream: Socket | null = null;

  constructor(declaration: Declaration, statement: string | pg.QueryConfig, values?: unknown[]) {
    super(statement, values);
    this.#declaration = declaration;
    this.queryMode = 'extended';
  }

  /** Nothing is sent for a request that has read too much. */
  override submit(connection: pg.Connection): Error | null {
    return this.#meter?.count(0) ?? super.submit(connection);
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
    if (this.#stream?.destroyed) return;
    const refusal = this.#meter?.count(message.length);
    // The pool closes the connection of a failed statement anyway. Until then, the server would send the rest of the rows.
    if (refusal) {
      this._canceledDueToError = refusal;
      this.#stream?.destroy(refusal);
    } else super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#declared) super.handleCommandComplete(message, connection);
    this.#declared = true;
  }
}
