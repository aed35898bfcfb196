import type pg from 'pg';
import type { CursorWindow } from '../lib/paging.ts';
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

/** How the driver returns the types of PostgreSQL. Prisma's transactions return `bigint` as BigInt, `bytea` as Uint8Array. */
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
  [Name in keyof Enums as Uncapitalize<SnakeCase<Name>>]: Enums[Name][keyof Enums[Name]];
};
type Enums = typeof enums;
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

/** Declared columns of a table, as SQL: `{ id: 'text', centerId: 'int' }` of `d` is `d.id, d.center_id AS "centerId"`. */
export function columnsOf(alias: string, columns: Columns): string {
  const selected = Object.keys(columns).map((name) => {
    const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return column === name ? `${alias}.${name}` : `${alias}.${column} AS "${name}"`;
  });
  return selected.join(', ');
}

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
 * The columns are those of the result. A test compares their names and types with the database; which of them can be null is
 * known only here. A statement whose rows are not read declares none. One without a name is planned for each call, because
 * its best plan depends on the values. `$id` is a parameter, `$rows.0` the first column of a recordset (recordset.ts).
 * Interpolated texts are inserted unchanged, so they must be constants. Define statements when the module loads: defining a
 * name twice throws, which also catches a statement that is built for each call.
 */
export function sql<const C extends Columns>(name: string | null, columns: C): Tag<RowOf<C>>;
export function sql(name: string | null): Tag<unknown>;
export function sql(name: string | null, columns?: Columns): Tag<unknown> {
  return (texts, ...parts) => {
    const text = texts.reduce((before, next, n) => before + parts[n - 1] + next);
    return define(name, text, columns);
  };
}

function define<Row>(name: string | null, text: string, columns?: Columns): SqlStatement<Row> {
  if (name !== null && statements.some((statement) => statement.name === name))
    throw new Error(`The statement "${name}" is defined twice.`);
  const statement = new SqlStatement<Row>(name ?? undefined, text, columns);
  statements.push(statement);
  if (name !== null) names.set(statement.text, name);
  return statement;
}

const names = new Map<string, string>();

/** The name under which a text is prepared; empty if it is planned for each call, as the statements that Prisma writes are. */
export const preparedNameOf = (text: string): string => names.get(text) ?? '';

/**
 * Statements that return the same columns, for a list with many combinations of filters. Their text is composed from constant
 * parts when they are called. A variant is prepared at its first call and always has the same text; without a variant, the
 * statement is planned for each call.
 */
export function composed<const C extends Columns>(name: string, columns: C) {
  const prepared = new Map<string, SqlStatement<RowOf<C>>>();
  return (variant: string | null, compose: () => string): SqlStatement<RowOf<C>> => {
    if (variant === null) return new SqlStatement(undefined, compose(), columns);
    const statement = prepared.get(variant) ?? define<RowOf<C>>(`${name}_${variant}`, compose(), columns);
    prepared.set(variant, statement);
    return statement;
  };
}

/** Statements for a list by cursor, newest first: `after` and `before` are null or ids, and `order` is the order of ids. */
export function pages<const C extends Columns>(
  name: string | null,
  columns: C,
  textOf: (order: 'ASC' | 'DESC') => string,
) {
  const newestFirst = sql(name, columns)`${textOf('DESC')}`;
  const fromEnd = sql(name && `${name}_from_end`, columns)`${textOf('ASC')}`;
  return (db: Queryable, { after, before, limit, inverted }: CursorWindow, params: Params) =>
    (inverted ? fromEnd : newestFirst).rows(db, {
      ...params,
      after: after ?? null,
      before: before ?? null,
      limit,
    });
}

const PLACEHOLDER = /\$(\w+)(?:\.(\d+))?/g;

export class SqlStatement<Row> {
  readonly name: string | undefined;
  /** With PostgreSQL's placeholders. */
  readonly text: string;
  readonly columns: Columns | undefined;
  /** In the order of their first use. */
  readonly #parameters: { placeholder: string; name: string; column: string | undefined }[] = [];

  constructor(name: string | undefined, text: string, columns?: Columns) {
    this.name = name;
    this.columns = columns;
    this.text = text.replace(PLACEHOLDER, (placeholder, parameter: string, column?: string) => {
      if (/^\d/.test(parameter))
        throw new Error(`The statement "${name ?? text}" must give its parameter ${placeholder} a name.`);
      const known = this.#parameters.findIndex((each) => each.placeholder === placeholder);
      return `$${known >= 0 ? known + 1 : this.#parameters.push({ placeholder, name: parameter, column })}`;
    });
  }

  with(params: Params): Statement {
    const values = this.#parameters.map(({ name, column }) => {
      const value = params[name];
      if (value === undefined && !(name in params))
        throw new TypeError(`The statement "${this.name ?? this.text}" needs the parameter "${name}".`);
      return column === undefined ? value : (value as unknown[])[Number(column)];
    });
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

/** Runs a statement that was built elsewhere. Resolves to the number of affected rows. */
export async function execute(db: Transaction | Queryable, statement: Statement): Promise<number> {
  if (isPrisma(db)) return db.$executeRawUnsafe(statement.text, ...statement.values);
  return (await (db as Queryable).query(statement)).rowCount ?? 0;
}

function isPrisma(db: Transaction | Queryable): db is Prisma.TransactionClient {
  return typeof (db as Prisma.TransactionClient).$executeRawUnsafe === 'function';
}
