import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedDemo } from '../../src/seed/demo.ts';
import { type Description, exampleCalls } from '../../src/web/docs/reference.ts';
import { SETUP } from '../../src/web/docs/reference-values.ts';
import { type CallSample, sample } from '../../src/web/docs/samples.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { freePort } from '../helpers/free-port.ts';
import type { Block } from './blocks.ts';
import { type GuideRunner, guideRunner, hasPython } from './guide-runner.ts';

const description: Description = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
);

/** Destructive examples come last: the others refer to the same objects. */
function rank({ operationId, call }: { operationId: string; call: CallSample }): number {
  if (operationId === 'logout') return 2;
  return call.method === 'DELETE' ? 1 : 0;
}
const examples = exampleCalls(description).toSorted((a, b) => rank(a) - rank(b));
const reads = examples.filter(({ call }) => call.method === 'GET' && !call.path.startsWith('/auth/'));

let running: TestApp;
let runner: GuideRunner;
beforeAll(async () => {
  runner = await guideRunner();
  const port = await freePort();
  running = await startTestApp({
    worker: true,
    port,
    env: { PUBLIC_URL: `http://127.0.0.1:${port}`, CHECKPOINT_SECONDS: '1' },
  });
  await seedDemo(running.app);
});
afterAll(async () => {
  await runner?.remove();
  await running?.close();
});

const block = (language: string, code: string): Block => ({
  document: 'reference',
  line: 0,
  language,
  note: '',
  code,
});

test('every example of the API reference runs unchanged', { timeout: 120_000 }, async () => {
  // Only the status shows whether an example failed.
  const STATUS = `curl() { command curl -sS --fail-with-body "$@"; }\n`;
  const inShell = examples.map(
    ({ operationId, call }) =>
      `echo '@@ ${operationId}' >&2\n${sample('curl', call)} > /dev/null\necho 'ran ${operationId}'\n`,
  );
  // The examples share the shell's tokens, so those that end them come last.
  const inTypeScript = reads.map(
    ({ operationId, call }) =>
      `{\n${sample('typescript', call)}\nif (!response.ok) throw new Error('${operationId}');\n}\n`,
  );
  const inPython = reads.map(({ call }) => `${sample('python', call)}\n`);
  const printed = await runner.run(
    [
      block('sh', SETUP),
      block('ts', inTypeScript.join('')),
      ...(hasPython ? [block('python', inPython.join(''))] : []),
      block('sh', STATUS + inShell.join('')),
    ],
    { BASE: running.url },
  );
  for (const { operationId } of examples) expect(printed).toContain(`ran ${operationId}\n`);
});
