// Builds the console into the given folder, with precompressed copies in the two encodings that browsers accept.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

const target = process.argv[2];

await build({
  configFile: join(import.meta.dirname, 'vite.config.mjs'),
  logLevel: 'warn',
  build: { outDir: target },
});

// Takes half a second in total; the highest quality would take twenty times as long for a few percent.
const brotli = (text) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } });
const names = readdirSync(target, { recursive: true }).filter((name) => /\.(js|css|svg)$/.test(name));
await Promise.all(
  names.map(async (name) => {
    const file = join(target, name);
    const text = readFileSync(file);
    writeFileSync(`${file}.br`, await brotli(text));
    writeFileSync(`${file}.gz`, await promisify(gzip)(text, { level: 9 }));
  }),
);
