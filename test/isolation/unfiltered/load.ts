import { registerHooks } from 'node:module';
import type * as appModule from '../../helpers/app.ts';
import type * as foreignModule from '../../helpers/foreign.ts';
import type * as worldModule from '../../helpers/world.ts';

/**
 * Loads a second copy of the service, without filters, beside the one that other tests in this process may have loaded:
 * every module of a copy has a mark behind its address, and hands it on to what it imports.
 */
const MARK = '?unfiltered';

const root = new URL('../../../', import.meta.url).href;
/** What has a copy: all of the service, and the helpers that open it. Tests know databases by the usual ones. */
const copied = [`${root}src/`, `${root}prisma/`, ...['app', 'foreign', 'world'].map(helper)];
const replaced = ['tenancy', 'declared'].map((name) => [
  `${root}src/db/${name}.ts`,
  new URL(`${name}.ts`, import.meta.url).href,
]);

function helper(name: string): string {
  return `${root}test/helpers/${name}.ts`;
}

function copyOf(url: string, parent: string): string {
  const replacement = replaced.find(([original]) => original === url)?.[1];
  // What replaces a module is the one that gets to see it.
  if (replacement) return parent === replacement ? url : replacement;
  return copied.some((place) => url.startsWith(place)) ? url + MARK : url;
}

export async function loadUnfiltered() {
  const isCopy = (url: string | undefined) =>
    url?.endsWith(MARK) || replaced.some(([, replacement]) => url === replacement);
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      if (!isCopy(context.parentURL)) return resolved;
      return { ...resolved, url: copyOf(resolved.url, context.parentURL!) };
    },
  });
  try {
    const load = (name: string) => import(helper(name) + MARK);
    return {
      ...((await load('app')) as typeof appModule),
      ...((await load('foreign')) as typeof foreignModule),
      ...((await load('world')) as typeof worldModule),
      /** The service loads some of its parts when they are needed. */
      done: () => hooks.deregister(),
    };
  } catch (error) {
    hooks.deregister();
    throw error;
  }
}
