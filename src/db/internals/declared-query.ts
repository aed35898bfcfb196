import pg from 'pg';

/** The part of the driver's query and connection that is used here; its type definitions leave it out. */
interface Connection {
  bind(portal: { statement: string; values: unknown[] }): void;
  execute(portal: { portal: string; rows: number }): void;
}
interface DriverQuery {
  queryMode: string;
  prepare(connection: Connection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}
const DriverQuery = pg.Query as unknown as new (
  statement: string | pg.QueryConfig,
  values?: unknown[],
) => DriverQuery & pg.Submittable;

/** The prepared statement that declares, with its values. */
interface Declaration {
  name: string;
  values: string[];
}

/**
 * A statement with its declaration before it, in the same round trip: without a Sync between them both belong to one
 * implicit transaction, at whose end the declaration is forgotten.
 */
export class DeclaredQuery extends DriverQuery {
  #declaration: Declaration;
  #declared = false;

  constructor(declaration: Declaration, statement: string | pg.QueryConfig, values?: unknown[]) {
    super(statement, values);
    this.#declaration = declaration;
    this.queryMode = 'extended';
  }

  override prepare(connection: Connection): void {
    const { name, values } = this.#declaration;
    connection.bind({ statement: name, values });
    connection.execute({ portal: '', rows: 0 });
    super.prepare(connection);
  }

  // The first result is that of the declaration.
  override handleDataRow(message: unknown): void {
    if (this.#declared) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#declared) super.handleCommandComplete(message, connection);
    this.#declared = true;
  }
}
