import { expect, test, vi } from 'vitest';
import { type TestApp, testApp } from '../helpers/app.ts';
import { makeMember, makeStage } from '../helpers/world.ts';
import { execute, makeWorkflow, outsideSystem, reaches, text } from './steps.ts';

vi.setConfig({ testTimeout: 90_000 });

const WATCH = /* GraphQL */ `
  subscription ($id: ID!) {
    workflowExecutionProgress(id: $id) { step { name status } execution { status } }
  }`;

interface Progress {
  step: { name: string; status: string } | null;
  execution: { status: string };
}

/** Reads the stream of server-sent events until the server ends it. */
async function* watch({ url }: TestApp, id: string, token: string): AsyncGenerator<Progress> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ query: WATCH, variables: { id } }),
  });
  let rest = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const data = /^data: (.+)$/m.exec(block)?.[1];
      const payload = data && JSON.parse(data);
      if (payload?.errors) throw new Error(payload.errors[0].extensions.code);
      if (payload?.data) yield payload.data.workflowExecutionProgress;
    }
  }
}

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

test('a run can be followed step by step until it ends', async () => {
  const running = await testApp({ worker: true });
  const { token } = await makeStage(running.app);
  const release = Promise.withResolvers<void>();
  const outside = await outsideSystem(async () => {
    await release.promise;
    return {};
  });
  const id = await makeWorkflow(running, token, [
    text('before'),
    { name: 'call', kind: 'http', url: outside.url },
    text('after'),
  ]);
  const executionId = await execute(running, token, id);
  await expect.poll(() => outside.received.length).toBe(1);
  const told: string[] = [];
  for await (const { step, execution } of watch(running, executionId, token)) {
    told.push(step ? `${step.name} ${step.status}` : execution.status);
    // Past events come first; only then does the run continue.
    if (told.length === 3) release.resolve();
  }
  expect(told.slice(0, 3)).toEqual(['before COMPLETED', 'call RUNNING', 'RUNNING']);
  expect(told.slice(3)).toContain('call COMPLETED');
  expect(told.slice(3)).toContain('after COMPLETED');
  expect(told.at(-1)).toBe('COMPLETED');
});

test('a finished run is returned unchanged; other centers and roles see nothing', async () => {
  const running = await testApp({ worker: true });
  const { token, center } = await makeStage(running.app);
  const other = await makeStage(running.app);
  const parent = await makeMember(running.app, center.id, 'PARENT');
  const executionId = await execute(running, token, await makeWorkflow(running, token, [text('only')]));
  await reaches(running, token, executionId, 'COMPLETED');
  const told = await all(watch(running, executionId, token));
  expect(told).toEqual([
    { step: { name: 'only', status: 'COMPLETED' }, execution: { status: 'COMPLETED' } },
    { step: null, execution: { status: 'COMPLETED' } },
  ]);
  await expect(all(watch(running, executionId, other.token))).rejects.toThrow('NOT_FOUND');
  await expect(all(watch(running, executionId, parent.token))).rejects.toThrow('INSUFFICIENT_ROLE');
});
