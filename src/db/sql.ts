import type { Pool, PoolClient, Tx } from './database.ts';

/** An open transaction, whichever of the two clients holds it. */
export type Transaction = Tx | PoolClient;

export interface Statement {
  /** Kept prepared under this name on the bare client, so it must belong to one text. */
  name: string;
  text: string;
  values: unknown[];
}

/** Raw SQL in a transaction, or by itself on the pool: the little that Prisma and the bare client have in common. */
export interface Sql {
  run(statement: Statement): Promise<void>;
  rows<Row>(statement: Statement): Promise<Row[]>;
}

/** Statements that need no transaction may run on the pool itself. */
export function sqlIn(transaction: Transaction | Pool): Sql {
  if (isPrisma(transaction)) {
    return {
      run: async ({ text, values }) => void (await transaction.$executeRawUnsafe(text, ...values)),
      rows: ({ text, values }) => transaction.$queryRawUnsafe(text, ...values),
    };
  }
  return {
    run: async (statement) => void (await transaction.query(statement)),
    rows: async (statement) => (await transaction.query(statement)).rows,
  };
}

function isPrisma(transaction: Transaction | Pool): transaction is Tx {
  return typeof (transaction as Tx).$executeRawUnsafe === 'function';
}
