import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../../src/seed/accounts.ts';
import { seedDemo } from '../../src/seed/demo.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { freePort } from '../helpers/free-port.ts';
import { blocksOf, documents, RUN } from './blocks.ts';
import { type GuideRunner, guideRunner, hasPython } from './guide-runner.ts';

if (!hasPython) process.stderr.write('not run: blocks in Python, because there is no python3\n');

const all = documents.flatMap(blocksOf);
/** Blocks of a document that this machine can run. */
const runnable = (document: string) =>
  all.filter(
    (block) =>
      block.document === document &&
      RUN.has(block.language) &&
      (hasPython || (block.language !== 'python' && !block.code.includes('python3'))),
  );

let running: TestApp;
let runner: GuideRunner;
let env: Record<string, string>;
beforeAll(async () => {
  runner = await guideRunner();
  const port = await freePort();
  running = await startTestApp({
    worker: true,
    port,
    // Proofs name the service by its public URL, and so do verifiers.
    env: { PUBLIC_URL: `http://127.0.0.1:${port}`, CHECKPOINT_SECONDS: '1' },
  });
  const { apiKey } = await seedDemo(running.app);
  const signedIn = await running.call('POST', '/auth/login', {
    body: { email: 'admin@demo.test', password: DEMO_PASSWORD, centerDomain: 'demo-rehab' },
  });
  env = {
    BASE: running.url,
    KEY: apiKey!,
    TOKEN: signedIn.body.data.accessToken,
    WITNESS_PORT: String(await freePort()),
    // Additional variables of an operator's shell.
    DATABASE_URL: running.database.url,
    DATA_DIR: running.database.dataDir,
    JWT_SECRET: running.config.jwtSecret,
    PUBLIC_URL: running.url,
  };
});
afterAll(async () => {
  await runner?.remove();
  await running?.close();
});

/** Required output of a document, besides the absence of errors. */
const expected: Record<string, RegExp[]> = {
  'README.md': [
    /"email":"admin@demo\.test"/,
    /"sealedHash":"sha256:[0-9a-f]{64}"/,
    /proof\.json: proven: sealed at .*; signed by \S+; outcome: none shown; named .*\n/,
    /\/verify\/evt_/,
    /"valid":true,"chainLength":\d+/,
  ],
  'docs/operations.md': [/"status":"ready"/, /All \d+ hold\.$/m, /signed in by/, /csk_\w{8}_…/],
  'docs/agents.md': [
    /"outcome":"awaiting_approval"/,
    /"status":"executed"/,
    /^denied$/m,
    /"outcome":"completed"/,
  ],
  'docs/graphql.md': [/^data: \{"data":\{"decisionEvents":/m, /result: \{ valid: true \}/],
  'docs/proofs.md': [/proof\.json: proven: /, /all as signed/, /"valid":true/],
  'docs/webhooks.md': [/dpu\.sealed [0-9a-f]{64}/],
};

test.each(documents.filter((document) => runnable(document).length > 0))(
  'every code block of %s runs',
  { timeout: 120_000 },
  async (document) => {
    const printed = await runner.run(runnable(document), env);
    for (const pattern of expected[document] ?? []) expect(printed).toMatch(pattern);
  },
);

/** Pasted into an interactive shell, which continues after an error, while every program of the block fails. */
test('shell blocks stop at the first command that fails', () => {
  const FAILING = `for name in curl npm node python3; do
    eval "$name() { echo called >&2; return 22; }"
  done\n`;
  const env = { PATH: process.env['PATH'], BASE: 'http://127.0.0.1:1', KEY: 'k', TOKEN: 't', WORK: tmpdir() };
  const goesOn = all
    .filter(({ language, code }) => language === 'sh' && !/&$/m.test(code.replaceAll('&&', '')))
    .filter(({ code }) => {
      const { stderr, status } = spawnSync('bash', ['-c', FAILING + code], {
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return status === 0 || stderr.match(/^called$/gm)?.length !== 1;
    });
  expect(goesOn.map(({ document, line }) => `${document}:${line}`)).toEqual([]);
});

test('TypeScript blocks type-check, and JSON blocks parse', async () => {
  expect(await runner.typeFaults(all.filter(({ language }) => language === 'ts'))).toBe('');
  for (const { language, code } of all) if (language === 'json') JSON.parse(code);
});

test('every block that is not run states the reason, except plain text', () => {
  const silent = all.filter(({ language, note }) => !RUN.has(language) && language !== 'text' && !note);
  expect(silent.map(({ document, line, language }) => `${document}:${line} ${language}`)).toEqual([]);
});

test('every npm script named in a document exists', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const texts = documents.map((document) =>
    readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8'),
  );
  const named = texts.flatMap((text) =>
    [...text.matchAll(/npm run (?:--silent )?([a-z-]+)/g)].map(([, name]) => name!),
  );
  expect(named.length).toBeGreaterThan(20);
  expect([...new Set(named)].filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});
