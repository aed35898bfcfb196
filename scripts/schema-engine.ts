import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

let instantiated: Promise<void> | undefined;

/** Provides Prisma's migration engine as WebAssembly, without a download or a second process. */
export async function withSchemaEngine<T>(
  databaseUrl: string,
  use: (engine: bindings.SchemaEngine) => Promise<T>,
): Promise<T> {
  instantiated ??= instantiate();
  await instantiated;
  // A separate pool, because the engine never closes its own. One connection: the engine's lock belongs to a session.
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  pool.on('error', () => {});
  const factory = new WholeScripts(pool);
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(factory);
    const engine = await bindings.SchemaEngine.new({ datamodels: undefined }, () => {}, adapter);
    return await use(engine);
  } catch (error) {
    // The server's message is clearer than the engine's.
    throw factory.scriptError ?? error;
  } finally {
    await pool.end();
  }
}

/**
 * Prisma's adapter splits a script at every semicolon, even inside function bodies and strings, and runs the parts one by one.
 * Sent as a whole, the server splits it and applies all or nothing.
 */
class WholeScripts extends PrismaPg {
  scriptError: unknown;
  #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    super(pool);
    this.#pool = pool;
  }

  override async connect() {
    const adapter = await super.connect();
    adapter.executeScript = async (script) => {
      try {
        await this.#pool.query(script);
      } catch (error) {
        this.scriptError = error;
        throw error;
      }
    };
    return adapter;
  }
}

// Node has it, but only the browser's type definitions declare it.
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: object,
  ): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
};

// The package's entry point imports the .wasm file as a module, which Node still warns about.
async function instantiate() {
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm');
  const file = join(dirname(entry), 'schema_engine_bg.wasm');
  const { instance } = await WebAssembly.instantiate(await readFile(file), {
    './schema_engine_bg.js': bindings,
  });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
}
