import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createServer } from 'vite';

const ROOT = import.meta.dirname;

/** The console from its sources with hot reloading: Vite inside the process of the service, on the same address. */
export async function makeDevelopmentServer() {
  const vite = await createServer({
    configFile: join(ROOT, 'vite.config.mjs'),
    appType: 'custom',
    server: { middlewareMode: true },
  });
  return {
    async page(url: string): Promise<string> {
      const source = await readFile(join(ROOT, 'index.html'), 'utf8');
      // One page serves URLs of any depth, so its files need absolute paths.
      return vite.transformIndexHtml(url, source.replaceAll('"./', '"/'));
    },
    /** Resolves after Vite has responded, or without a response if it has no such file. */
    file(request: IncomingMessage, response: ServerResponse): Promise<void> {
      return new Promise((resolve, reject) => {
        response.once('finish', resolve);
        vite.middlewares(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
      });
    },
  };
}
