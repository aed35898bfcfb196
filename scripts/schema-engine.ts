import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

let instantiated: Promise<void> | undefined;

/** Lends Prisma's own migration engine, as WebAssembly: it needs no download and no second process. */
export async function withSchemaEngine<T>(
  databaseUrl: string,
  use: (engine: bindings.SchemaEngine) => Promise<T>,
): Promise<T> {
  instantiated ??= instantiate();
  await instantiated;
  // A pool of our own, because the engine never closes the one it would make. One connection: the engine's lock belongs
  // to a session.
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  pool.on('error', () => {});
  const factory = new WholeScripts(pool);
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(factory);
    const engine = await bindings.SchemaEngine.new({ datamodels: undefined }, () => {}, adapter);
    return await use(engine);
  } catch (error) {
    // What the server said is clearer than what the engine makes of it.
    throw factory.scriptError ?? error;
  } finally {
    await pool.end();
  }
}

/**
 * Prisma's adapter cuts a script at every semicolon, also those inside function bodies and strings, and runs the pieces
 * one by one. Sent as a whole, the server does the cutting and either all of it happens or nothing.
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

// Node has it, but its type definitions leave it to those of the browser.
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: object,
  ): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
};

// The package's own entry point imports the .wasm file as a module, which Node still warns about.
async function instantiate() {
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm');
  const file = join(dirname(entry), 'schema_engine_bg.wasm');
  const { instance } = await WebAssembly.instantiate(await readFile(file), {
    './schema_engine_bg.js': bindings,
  });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
}
