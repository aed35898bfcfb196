// For generators that build on TypeScript's compiler API, which version 7 no longer has: `typescript` is the one that
// the client package depends on.
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(new URL('../../packages/client/package.json', import.meta.url));
const typescript = pathToFileURL(require.resolve('typescript')).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript'
      ? { url: typescript, format: 'commonjs', shortCircuit: true }
      : next(specifier, context),
});
