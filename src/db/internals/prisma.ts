import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import { beginDeclared, type Centers, declare } from '../declared.ts';
import { Prisma, PrismaClient } from '../generated/prisma/client.ts';
import type { Pool, PoolClient } from '../pool.ts';
import type { Queryable } from '../sql.ts';

/** What the operation under way has declared. Prisma hands nothing of the kind from its client to its driver. */
const declaration = new AsyncLocalStorage<Centers>();

/** Changes the arguments of one operation on a model. */
type Scope = (model: Prisma.ModelName, operation: string, args: object) => object;

/** Runs single statements for these centers. */
type RunFor = (centers: Centers) => Queryable;

/**
 * A client that has declared nothing and so sees nothing that belongs to a center. Single statements may run elsewhere;
 * transactions are the pool's.
 */
export function openPrisma(pool: Pool, runFor: RunFor = (centers) => declare(pool, centers)): PrismaClient {
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
        return declaration.run(centers, async () => await query(scoped as typeof args));
      },
    },
  }) as unknown as PrismaClient;
  const transact = declaring.$transaction.bind(declaring) as (...args: unknown[]) => Promise<unknown>;
  return Object.defineProperty(declaring, '$transaction', {
    value: (...args: unknown[]) => declaration.run(centers, () => transact(...args)),
  });
}

// Prisma gathers lookups by unique keys that come in the same moment into one statement, whoever asks. One statement can
// have one declaration only, so those of a center are made ordinary queries, which it runs by themselves.

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

/** Prisma nests a key of several columns in an object named after them: `{a_b: {a, b}}` becomes `{a, b}`. */
function withPlainKeys(args: { where?: object }): object {
  const entries = Object.entries(args.where ?? {});
  const where = entries.map(([key, value]) => (key.includes('_') ? value : { [key]: value }));
  return { ...args, where: Object.assign({}, ...where) };
}

class DeclaringAdapter extends PrismaPg {
  #pool: Pool;
  #runFor: RunFor;

  constructor(pool: Pool, runFor: RunFor) {
    super(pool);
    this.#pool = pool;
    this.#runFor = runFor;
  }

  override async connect() {
    const adapter = await super.connect();
    return Object.assign(adapter, { client: declaringDriver(this.#pool, this.#runFor) });
  }
}

/** What Prisma's adapter asks of the driver: statements by themselves, and connections for transactions. */
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
        // The first thing it is told is BEGIN, which takes the declaration along.
        if (!begun && statement.text !== 'BEGIN')
          throw new Error(`a transaction begins with BEGIN, not ${statement.text}`);
        const told = begun ? statement : { ...statement, text: beginDeclared(centers) };
        begun = true;
        // Prisma asks for several relations at once, here too, where one connection answers one after the other.
        const answer = before.then(() => Object.getPrototypeOf(client).query.call(client, told));
        before = answer.catch(() => {});
        return answer;
      };
      const letGo: PoolClient['release'] = (error) => {
        Reflect.deleteProperty(client, 'query');
        release.call(client, error);
      };
      // Made before they are assigned: see the reason in pg-client.ts.
      return Object.assign(client, { query: query as PoolClient['query'], release: letGo });
    },
  };
}
