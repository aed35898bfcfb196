// Loaded before the service: refuses every package that a production install omits, although this checkout has it.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const root = new URL('../../', import.meta.url);
const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8'));
const omitted = Object.entries(packages)
  .filter(([path, { dev, link }]) => path.includes('node_modules/') && dev && !link)
  .map(([path]) => `${new URL(path, root).href}/`);

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    if (omitted.some((folder) => resolved.url.startsWith(folder)))
      throw new Error(`A production install omits ${specifier}, which ${context.parentURL} imports`);
    return resolved;
  },
});
