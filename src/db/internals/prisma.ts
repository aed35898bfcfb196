import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool, PoolClient } from 'pg';
import { throwingRefusals } from '../../lib/row-meter.ts';
import { beginDeclared, type Centers } from '../centers.ts';
import { Prisma, PrismaClient } from '../generated/prisma/client.ts';
import { preparedNameOf, type Queryable } from '../sql.ts';

/** The declaration of the current operation. Prisma passes no such context from its client to its driver. */
const declaration = new AsyncLocalStorage<Centers>();

/** Changes the arguments of an operation on a model. */
type Scope = (model: Prisma.ModelName, operation: string, args: object) => object;

/** Runs single statements for these centers. */
type RunFor = (centers: Centers) => Queryable;

/**
 * A client without a declaration, which sees no rows of a center. Single statements may run elsewhere; transactions use the
 * pool.
 */
export function openPrisma(pool: Pool, runFor: RunFor): PrismaClient {
  return new PrismaClient({ adapter: new DeclaringAdapter(pool, runFor) });
}

/** The same client for the rows of some centers: its statements and transactions declare them. */
export function declaringClient(client: PrismaClient, centers: Centers, scope?: Scope): PrismaClient {
  const declaring = client.$extends({
    name: `centers ${centers}`,
    model: { $allModels: scope ? { findUnique, findUniqueOrThrow } : {} },
    query: {
      $allOperations({ model, operation, args, query }) {
        const scoped = model && scope ? scope(model as Prisma.ModelName, operation, args as object) : args;
        // Awaited inside, because Prisma starts a query when it is awaited.
        return declaration.run(centers, () =>
          throwingRefusals(async () => await query(scoped as typeof args)),
        );
      },
    },
  }) as unknown as PrismaClient;
  const transact = declaring.$transaction.bind(declaring) as (...args: unknown[]) => Promise<unknown>;
  return Object.defineProperty(declaring, '$transaction', {
    value: (...args: unknown[]) => declaration.run(centers, () => transact(...args)),
  });
}

// Prisma merges concurrent lookups by unique key into one statement, even across callers. A statement has only one declaration,
// so lookups scoped to a center become ordinary queries, which Prisma does not merge.

interface Lookup {
  findFirst(args: object): unknown;
  findFirstOrThrow(args: object): unknown;
}

function findUnique(this: unknown, args: object): unknown {
  return (Prisma.getExtensionContext(this) as unknown as Lookup).findFirst(withPlainKeys(args));
}

function findUniqueOrThrow(this: unknown, args: object): unknown {
  return (Prisma.getExtensionContext(this) as unknown as Lookup).findFirstOrThrow(withPlainKeys(args));
}

/** Prisma nests a compound key in an object named after its columns: `{a_b: {a, b}}` becomes `{a, b}`. */
function withPlainKeys(args: { where?: object }): object {
  const entries = Object.entries(args.where ?? {});
  const where = entries.map(([key, value]) => (key.includes('_') ? value : { [key]: value }));
  return { ...args, where: Object.assign({}, ...where) };
}

class DeclaringAdapter extends PrismaPg {
  #pool: Pool;
  #runFor: RunFor;

  constructor(pool: Pool, runFor: RunFor) {
    // Prisma passes on only the text of a statement of ours.
    super(pool, { statementNameGenerator: ({ sql }) => preparedNameOf(sql) });
    this.#pool = pool;
    this.#runFor = runFor;
  }

  override async connect() {
    const adapter = await super.connect();
    return Object.assign(adapter, { client: declaringDriver(this.#pool, this.#runFor) });
  }
}

/** The parts of the driver that Prisma's adapter uses: single statements, and connections for transactions. */
function declaringDriver(pool: Pool, runFor: RunFor) {
  const declared = () => declaration.getStore() ?? [];
  return {
    query: (statement: { text: string }) => runFor(declared()).query(statement),
    async connect(): Promise<PoolClient> {
      const centers = declared();
      const client = await pool.connect();
      const { release } = client;
      let begun = false;
      let before: Promise<unknown> = Promise.resolve();
      const query = (statement: { text: string }) => {
        // The first statement is BEGIN, which is sent together with the declaration.
        if (!begun && statement.text !== 'BEGIN')
          throw new Error(`a transaction begins with BEGIN, not ${statement.text}`);
        const told = begun ? statement : { ...statement, text: beginDeclared(centers) };
        begun = true;
        // Prisma requests several relations at once, even on a connection that answers one after the other.
        const answer = before.then(() => Object.getPrototypeOf(client).query.call(client, told));
        before = answer.catch(() => {});
        return answer;
      };
      const letGo: PoolClient['release'] = (error) => {
        Reflect.deleteProperty(client, 'query');
        release.call(client, error);
      };
      // Created before assignment, for the reason given in pg-client.ts.
      return Object.assign(client, { query: query as PoolClient['query'], release: letGo });
    },
  };
}
