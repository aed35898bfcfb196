import type pg from 'pg';
import type { Prisma } from './generated/prisma/client.ts';
import type * as enums from './generated/prisma/enums.ts';

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

/** How the driver returns the types of PostgreSQL. In a transaction of Prisma, `bigint` comes as a bigint instead. */
interface BasicTypes {
  text: string;
  uuid: string;
  int: number;
  smallint: number;
  bigint: string;
  float8: number;
  boolean: boolean;
  timestamptz: Date;
  bytea: Buffer;
  void: unknown;
}

/** The database names of Prisma's enums: `chain_domain` is ChainDomain. */
type EnumTypes = {
  [Name in keyof typeof enums as Uncapitalize<
    SnakeCase<Name>
  >]: (typeof enums)[Name][keyof (typeof enums)[Name]];
};
type SnakeCase<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head}${Tail extends Uncapitalize<Tail> ? '' : '_'}${SnakeCase<Uncapitalize<Tail>>}`
  : Name;

type Types = BasicTypes & EnumTypes;
type Base = keyof Types;
type ColumnType = Base | `${Base}[]` | `${Base}?` | `${Base}[]?`;

declare const type: unique symbol;
/** A column whose values have a narrower type than PostgreSQL knows. */
type Typed<T> = string & { readonly [type]: T };

/** A column with JSON, or with a few of the values that its type allows: `typed<Policy[]>('json')`. */
export const typed = <T>(databaseType: 'json' | 'jsonb' | Base | `${Base}[]`) => databaseType as Typed<T>;

/** The columns of a result by name. A question mark follows the type of a column that can be null. */
type Columns = Readonly<Record<string, ColumnType | Typed<unknown>>>;

type ValueOf<Column> =
  Column extends Typed<infer T>
    ? T
    : Column extends `${infer Present}?`
      ? ValueOf<Present> | null
      : Column extends `${infer Element}[]`
        ? ValueOf<Element>[]
        : Column extends Base
          ? Types[Column]
          : never;

/** A row of a statement, or of declared columns. */
export type RowOf<From> =
  From extends SqlStatement<infer Row> ? Row : { -readonly [Name in keyof From]: ValueOf<From[Name]> };

/** All statements, for the test that compares their columns with the database. */
export const statements: SqlStatement<unknown>[] = [];

type Tag<Row> = (texts: TemplateStringsArray, ...parts: (string | number)[]) => SqlStatement<Row>;

/**
 * Defines a prepared statement:
 *
 *     const EVENT = sql('event_by_id', { id: 'text', sealed_at: 'timestamptz?', tags: 'text[]' })`
 *       SELECT id, sealed_at, tags FROM event WHERE id = $id AND center_id = $centerId`;
 *     const rows = await EVENT.rows(db, { id, centerId });
 *
 * The columns are those of the result; a test compares their names and types with the database, but nothing can check which
 * may be null. A statement whose rows are not read declares none. `$id` is a parameter, `$rows.0` the first column of a
 * recordset (recordset.ts). Interpolated texts are inserted unchanged, so they must be constants. Define statements when the
 * module loads: defining a name twice throws, which also catches a statement that is built for each call.
 */
export function sql<const C extends Columns>(name: string, columns: C): Tag<RowOf<C>>;
export function sql<Row = unknown>(name: string): Tag<Row>;
export function sql(name: string, columns?: Columns): Tag<unknown> {
  if (statements.some((statement) => statement.name === name))
    throw new Error(`The statement "${name}" is defined twice.`);
  return define(name, columns);
}

/** Defines a statement that is planned for each call, because its best plan depends on its values. */
export function unprepared<const C extends Columns>(columns: C): Tag<RowOf<C>>;
export function unprepared<Row>(text: string): SqlStatement<Row>;
export function unprepared(given: Columns | string): Tag<unknown> | SqlStatement<unknown> {
  return typeof given === 'string' ? new SqlStatement(undefined, given) : define(undefined, given);
}

const define =
  (name: string | undefined, columns?: Columns): Tag<unknown> =>
  (texts, ...parts) => {
    const text = texts.reduce((before, next, n) => before + parts[n - 1] + next);
    const statement = new SqlStatement(name, text, columns);
    statements.push(statement);
    return statement;
  };

/** A parameter, and how many values of the statement it fills: a recordset fills one per column. */
interface Parameter {
  name: string;
  columns: number | null;
}

export class SqlStatement<Row> {
  readonly name: string | undefined;
  readonly text: string;
  readonly columns: Columns | undefined;
  readonly #parameters: Parameter[];

  constructor(name: string | undefined, text: string, columns?: Columns) {
    const [number] = /\$\d+/.exec(text) ?? [];
    if (number) throw new Error(`The statement "${name ?? text}" must give its parameter ${number} a name.`);
    this.name = name;
    this.columns = columns;
    this.#parameters = parametersOf(text);
    this.text = numbered(text, this.#parameters);
  }

  /** The statement for one call. */
  with(params: Params): Statement {
    const values: unknown[] = [];
    for (const { name, columns } of this.#parameters) {
      const value = params[name];
      if (value === undefined && !(name in params)) {
        throw new TypeError(`The statement "${this.name ?? this.text}" needs the parameter "${name}".`);
      }
      if (columns === null) values.push(value);
      else for (let n = 0; n < columns; n++) values.push((value as unknown[])[n]);
    }
    return { name: this.name, text: this.text, values };
  }

  async rows(db: Transaction | Queryable, params: Params): Promise<Row[]> {
    const statement = this.with(params);
    if (isPrisma(db)) return db.$queryRawUnsafe<Row[]>(statement.text, ...statement.values);
    return (await (db as Queryable).query<Row & pg.QueryResultRow>(statement)).rows;
  }

  /** Resolves to the number of affected rows. */
  run(db: Transaction | Queryable, params: Params): Promise<number> {
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
