import { registerHooks } from 'node:module';
import type * as appModule from '../../helpers/app.ts';

/**
 * A service without filters beside the one that other tests in this process may have loaded. What opens the database is
 * loaded a second time: each of these modules has a mark behind its address, and hands it on to what it imports.
 */
const MARK = '?unfiltered';

const root = new URL('../../../', import.meta.url).href;
const helper = `${root}test/helpers/app.ts`;
const copied = [
  helper,
  ...['open-app', 'db/database', 'db/internals/prisma'].map((name) => `${root}src/${name}.ts`),
];
const replaced = new Map(
  ['tenancy', 'declared'].map((name) => [
    `${root}src/db/${name}.ts`,
    new URL(`${name}.ts`, import.meta.url).href,
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
