import type pg from 'pg';
import type { Prisma } from './generated/prisma/client.ts';

/** A pool, a connection, or either of them after a declaration (declared.ts). */
export interface Queryable {
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
    statement: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>>;
}

/** An open transaction of Prisma or of the driver. */
export type Transaction = Prisma.TransactionClient | pg.PoolClient;

/** A statement with the values of one call. */
export interface Statement {
  /** Absent if the statement is planned for each call. */
  name: string | undefined;
  text: string;
  values: unknown[];
}

type Params = Record<string, unknown>;

/** The names of all prepared statements. A connection keeps one text per name. */
const names = new Set<string>();

/**
 * Defines a prepared statement:
 *
 *     const EVENT = sql<EventRow>('event_by_id')`SELECT * FROM event WHERE id = $id AND center_id = $centerId`;
 *     const rows = await EVENT.rows(db, { id, centerId });
 *
 * `$id` is a parameter, `$rows.0` the first column of a recordset (recordset.ts). Interpolated texts are inserted unchanged, so
 * they must be constants. Define statements when the module loads: defining a name twice throws, which also catches a
 * statement that is built for each call.
 */
export function sql<Row = unknown, P extends object = Params>(name: string) {
  return (texts: TemplateStringsArray, ...parts: (string | number)[]): SqlStatement<Row, P> => {
    if (names.has(name)) throw new Error(`The statement "${name}" is defined twice.`);
    names.add(name);
    return new SqlStatement(
      name,
      texts.reduce((text, next, n) => text + parts[n - 1] + next),
    );
  };
}

/** A statement that is planned for each call, for SQL text that is assembled from constant parts. */
export const unprepared = <Row>(text: string) => new SqlStatement<Row>(undefined, text);

/** A parameter, and how many values of the statement it fills: a recordset fills one per column. */
interface Parameter {
  name: string;
  columns: number | null;
}

export class SqlStatement<Row, P extends object = Params> {
  readonly name: string | undefined;
  readonly text: string;
  readonly #parameters: Parameter[];

  constructor(name: string | undefined, text: string) {
    this.name = name;
    this.#parameters = parametersOf(text);
    this.text = numbered(text, this.#parameters);
  }

  with(params: P): Statement {
    const given = params as Params;
    const values: unknown[] = [];
    for (const { name, columns } of this.#parameters) {
      const value = given[name];
      if (value === undefined && !(name in given)) {
        throw new TypeError(`The statement "${this.name ?? this.text}" needs the parameter "${name}".`);
      }
      if (columns === null) values.push(value);
      else for (let n = 0; n < columns; n++) values.push((value as unknown[])[n]);
    }
    return { name: this.name, text: this.text, values };
  }

  async rows(db: Transaction | Queryable, params: P): Promise<Row[]> {
    const statement = this.with(params);
    if (isPrisma(db)) return db.$queryRawUnsafe<Row[]>(statement.text, ...statement.values);
    return (await (db as Queryable).query<Row & pg.QueryResultRow>(statement)).rows;
  }

  /** Resolves to the number of affected rows. */
  run(db: Transaction | Queryable, params: P): Promise<number> {
    return execute(db, this.with(params));
  }
}

const PLACEHOLDER = /\$([a-zA-Z]\w*)(?:\.(\d+))?/g;

/** In the order of their first use. */
function parametersOf(text: string): Parameter[] {
  const found = new Map<string, Parameter>();
  for (const [, name = '', column] of text.matchAll(PLACEHOLDER)) {
    const parameter = found.get(name) ?? { name, columns: null };
    if (column !== undefined) parameter.columns = Math.max(parameter.columns ?? 0, Number(column) + 1);
    found.set(name, parameter);
  }
  return [...found.values()];
}

/** The text with PostgreSQL's placeholders. */
function numbered(text: string, parameters: Parameter[]): string {
  const firsts = new Map<string, number>();
  let next = 1;
  for (const { name, columns } of parameters) {
    firsts.set(name, next);
    next += columns ?? 1;
  }
  return text.replace(
    PLACEHOLDER,
    (_, name: string, column = '0') => `$${firsts.get(name)! + Number(column)}`,
  );
}

/** Runs a statement that was built elsewhere. Resolves to the number of affected rows. */
export async function execute(db: Transaction | Queryable, statement: Statement): Promise<number> {
  if (isPrisma(db)) return db.$executeRawUnsafe(statement.text, ...statement.values);
  return (await (db as Queryable).query(statement)).rowCount ?? 0;
}

function isPrisma(db: Transaction | Queryable): db is Prisma.TransactionClient {
  return typeof (db as Prisma.TransactionClient).$executeRawUnsafe === 'function';
}
