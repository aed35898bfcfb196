import type { QueryResultRow } from 'pg';
import type { PoolClient, Queryable, Tx } from './database.ts';

/** An open transaction, whichever of the two clients holds it. */
export type Transaction = Tx | PoolClient;

export interface Statement {
  /** Kept prepared under this name on the bare client, so it must belong to one text. */
  name: string;
  text: string;
  values: unknown[];
}

/** Raw SQL in a transaction, or by itself, declared or not: the little that Prisma and the bare client have in common. */
export interface Sql {
  run(statement: Statement): Promise<void>;
  rows<Row>(statement: Statement): Promise<Row[]>;
}

export function sqlIn(transaction: Transaction | Queryable): Sql {
  if (isPrisma(transaction)) {
    return {
      run: async ({ text, values }) => void (await transaction.$executeRawUnsafe(text, ...values)),
      rows: ({ text, values }) => transaction.$queryRawUnsafe(text, ...values),
    };
  }
  const db: Queryable = transaction;
  return {
    run: async (statement) => void (await db.query(statement)),
    rows: async <Row>(statement: Statement) => (await db.query<Row & QueryResultRow>(statement)).rows,
  };
}

function isPrisma(transaction: Transaction | Queryable): transaction is Tx {
  return typeof (transaction as Tx).$executeRawUnsafe === 'function';
}
