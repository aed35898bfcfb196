/**
 * Writes the export vectors beside this file: `node test/vectors/make.ts`, then `npx biome format --write test/vectors`.
 * The result is the same every time.
 * `manifest.json` says of each vector what a verifier that trusts only `trustedKeys` must find.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Assurance, StepName, TrustedKey } from '../../src/proof-kit/index.ts';
import { genuineExports, serviceSigner } from './exports.ts';
import { falsifiedExports } from './falsified.ts';

export interface VectorManifest {
  trustedKeys: TrustedKey[];
  genuine: { file: string; assurance: Assurance }[];
  falsified: { file: string; fails: StepName[] }[];
}

const ASSURANCE: Record<keyof Awaited<ReturnType<typeof genuineExports>>, Assurance> = {
  decision: 'trusted',
  'decision-last': 'trusted',
  'decision-genesis': 'trusted',
  'decision-without-inclusion': 'consistent',
  'decision-withheld': 'partial',
  platform: 'trusted',
  'platform-only-record': 'trusted',
  'platform-without-inclusion': 'consistent',
};

/** Every file of the vector set with its value, the manifest included. */
export async function makeVectors(): Promise<Map<string, unknown>> {
  const files = new Map<string, unknown>();
  const manifest: VectorManifest = {
    trustedKeys: [{ publicKey: Buffer.from(serviceSigner.publicKey).toString('base64') }],
    genuine: [],
    falsified: [],
  };
  const genuine = await genuineExports();
  for (const name of Object.keys(genuine) as (keyof typeof genuine)[]) {
    const file = `genuine/${name}.json`;
    files.set(file, genuine[name]);
    manifest.genuine.push({ file, assurance: ASSURANCE[name] });
  }
  for (const [name, { document, fails }] of Object.entries(await falsifiedExports())) {
    const file = `falsified/${name}.json`;
    files.set(file, document);
    manifest.falsified.push({ file, fails });
  }
  return files.set('manifest.json', manifest);
}

if (import.meta.main) {
  const folder = new URL('.', import.meta.url);
  for (const kind of ['genuine', 'falsified']) {
    rmSync(new URL(kind, folder), { recursive: true, force: true });
    mkdirSync(new URL(kind, folder));
  }
  for (const [file, value] of await makeVectors()) {
    writeFileSync(new URL(file, folder), `${JSON.stringify(value, null, 2)}\n`);
  }
}
