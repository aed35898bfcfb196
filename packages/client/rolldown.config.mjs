// Bundles the client and its command. The proof kit, the auditor's commands and the parts of @noble/hashes that they need
// become part of the bundle, so that the published package has no dependencies.
import { readFileSync } from 'node:fs';

const hashesLicense = {
  name: 'hashes-license',
  generateBundle() {
    const source = readFileSync(new URL('LICENSE', import.meta.resolve('@noble/hashes')), 'utf8');
    this.emitFile({ type: 'asset', fileName: 'noble-hashes.LICENSE', source });
  },
};

export default {
  input: { index: 'src/index.ts', proof: 'src/proof.ts', cli: 'src/cli/main.ts' },
  // The client also runs in browsers; only the command imports modules of Node.
  platform: 'neutral',
  external: /^node:/,
  transform: { target: 'es2022' },
  plugins: [hashesLicense],
  logLevel: 'warn',
  output: { dir: 'dist', cleanDir: true },
};
