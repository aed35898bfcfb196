import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Context, Next } from 'koa';

const SOURCE = fileURLToPath(new URL('console/', import.meta.url));

/** The console from its sources with hot reloading: Vite inside this process, on the same address. */
export async function makeDevelopmentServer() {
  const { createServer } = await import('vite');
  const vite = await createServer({
    configFile: `${SOURCE}vite.config.mjs`,
    appType: 'custom',
    server: { middlewareMode: true },
  });
  return {
    async page(url: string): Promise<string> {
      const source = await readFile(`${SOURCE}index.html`, 'utf8');
      // One page serves URLs of any depth, so its files need absolute paths.
      return vite.transformIndexHtml(url, source.replaceAll('"./', '"/'));
    },
    async file(koa: Context, next: Next): Promise<void> {
      koa.state['route'] = '/console';
      koa.remove('Content-Security-Policy');
      // Vite responds itself; other requests are not found.
      await new Promise<void>((resolve, reject) => {
        koa.res.once('finish', resolve);
        vite.middlewares(koa.req, koa.res, (error?: unknown) => (error ? reject(error) : resolve()));
      });
      if (koa.res.writableEnded) koa.respond = false;
      else await next();
    },
  };
}
