// Builds the published client. The proof kit and the auditor's commands are compiled into it, with the modules of
// @noble/hashes that they need, so imports of those packages become relative ones and the client has no dependencies.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'packages/client/dist');

rmSync(dist, { recursive: true, force: true });
execFileSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'packages/client')],
  {
    stdio: 'inherit',
  },
);

const hashes = join(root, 'node_modules/@noble/hashes');
for (const name of ['sha2.js', '_md.js', '_u64.js', 'utils.js', 'LICENSE'])
  cpSync(join(hashes, name), join(dist, 'hashes', name));

for (const name of readdirSync(dist, { recursive: true })) {
  if (!/\.(js|d\.ts)$/.test(name)) continue;
  const file = join(dist, name);
  const source = readFileSync(file, 'utf8');
  const packages = relative(dirname(file), dist);
  const rewritten = source
    .replaceAll(
      /'@countersign\/(proof-kit|auditor)(?:\/([^']+))?'/g,
      (_, name, module = 'index') => `'${packages}/${name}/src/${module}.js'`,
    )
    .replaceAll("'@noble/hashes/", `'${packages}/hashes/`);
  if (rewritten !== source) writeFileSync(file, rewritten);
}
