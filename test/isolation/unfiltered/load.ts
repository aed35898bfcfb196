import { registerHooks } from 'node:module';
import { basename } from 'node:path';
import type * as appModule from '../../helpers/app.ts';

/**
 * Loads a service without filters beside the normal one in this process. The modules that open the database are loaded a
 * second time: each has a marker in its URL, which it passes on to its imports.
 */
const MARK = '?unfiltered';

const root = new URL('../../../', import.meta.url).href;
const helper = `${root}test/helpers/app.ts`;
const copied = [
  helper,
  ...['open-app', 'db/database', 'db/pool', 'db/internals/prisma'].map((name) => `${root}src/${name}.ts`),
];
const replaced = new Map(
  ['tenancy', 'declared', 'internals/pg-client'].map((name) => [
    `${root}src/db/${name}.ts`,
    new URL(`${basename(name)}.ts`, import.meta.url).href,
  ]),
);

export async function loadUnfiltered(): Promise<Pick<typeof appModule, 'startTestApp'>> {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      if (!context.parentURL?.endsWith(MARK)) return resolved;
      const { url } = resolved;
      return { ...resolved, url: replaced.get(url) ?? (copied.includes(url) ? url + MARK : url) };
    },
  });
  try {
    return (await import(helper + MARK)) as typeof appModule;
  } finally {
    hooks.deregister();
  }
}
