import pg from 'pg';

/** The parts of the driver's query and connection used here; its type definitions omit them. */
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

  // The first result belongs to the declaration.
  override handleDataRow(message: unknown): void {
    if (this.#declared) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#declared) super.handleCommandComplete(message, connection);
    this.#declared = true;
  }
}
