import { expect, test, vi } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { makeMember, makeStage } from '../helpers/world.ts';
import { execute, makeWorkflow, show, text } from './steps.ts';

vi.setConfig({ testTimeout: 90_000 });

const CREATE = /* GraphQL */ `mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }`;
const UPDATE = /* GraphQL */ `
  mutation ($input: UpdateWorkflowInput!) { updateWorkflow(input: $input) { id name version type cron nextRunAt } }`;
const WITH_ID = (name: string) => /* GraphQL */ `
  mutation ($id: ID!) { ${name}(input: { id: $id }) { id } }`;
const LIST = /* GraphQL */ `{ workflows(first: 50) { edges { node { id status name } } } }`;

const codeOf = ({ errors }: { errors?: { extensions: { code: string } }[] }) => errors?.[0]?.extensions.code;

test('invalid input is rejected with the path of the step', async () => {
  const running = await testApp();
  const { token } = await makeStage(running.app);
  const refused = async (input: object) => {
    const { errors } = await running.graphql(
      CREATE,
      { input: { name: 'x', type: 'MANUAL', ...input } },
      token,
    );
    expect(errors![0]!.extensions.code).toBe('VALIDATION_ERROR');
    const { fields } = errors![0]!.extensions.details as { fields: { path: string; message: string }[] };
    return fields.map(({ path }) => path.replace(/^input\./, ''));
  };
  expect(await refused({ steps: [text('a'), { name: 'b', kind: 'http' }] })).toEqual(['steps.1.url']);
  expect(await refused({ steps: [text('a'), text('b', '{{ nonsense( }}')] })).toEqual(['steps.1.text']);
  expect(await refused({ steps: 'none' })).toEqual(['steps']);
  expect(await refused({ type: 'SCHEDULED', cron: '61 * * * *', steps: [text('a')] })).toEqual(['cron']);
  expect(await refused({ name: '', steps: [text('a')] })).toEqual(['name']);
  const needy = { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] };
  expect(
    await refused({ type: 'EVENT', eventPattern: '*', parametersSchema: needy, steps: [text('a')] }),
  ).toEqual(['parametersSchema.required']);
});

test('an update creates a new version; the old one is unchanged', async () => {
  const running = await testApp();
  const { token } = await makeStage(running.app);
  const id = await makeWorkflow(running, token, [text('first')]);
  const before = await execute(running, token, id);
  const input = { id, name: 'Renamed', type: 'SCHEDULED', cron: '0 9 * * *', steps: [text('second')] };
  const { data } = await running.graphql(UPDATE, { input }, token);
  expect(data.updateWorkflow).toMatchObject({
    id,
    name: 'Renamed',
    version: 2,
    type: 'SCHEDULED',
    cron: '0 9 * * *',
  });
  expect(new Date(data.updateWorkflow.nextRunAt).getTime()).toBeGreaterThan(Date.now());
  const after = await execute(running, token, id);
  expect([(await show(running, token, before)).version, (await show(running, token, after)).version]).toEqual(
    [1, 2],
  );
  const versions = await running.graphql(
    `query ($id: ID!) { workflow(id: $id) { versions(first: 5) { edges { node { version steps } } } } }`,
    { id },
    token,
  );
  expect(versions.data.workflow.versions.edges.map(({ node }: { node: object }) => node)).toMatchObject([
    { version: 2, steps: [{ name: 'second' }] },
    { version: 1, steps: [{ name: 'first' }] },
  ]);
});

test('a paused workflow cannot be started, a deleted one is not found', async () => {
  const running = await testApp();
  const { token } = await makeStage(running.app);
  const id = await makeWorkflow(running, token, [text('a')]);
  const start = () => running.call('POST', `/workflows/${id}/execute`, { token, body: {} });

  await running.graphql(WITH_ID('pauseWorkflow'), { id }, token);
  const paused = await start();
  expect([paused.status, paused.body.error.code]).toEqual([409, 'CONFLICT']);
  await running.graphql(WITH_ID('resumeWorkflow'), { id }, token);
  expect((await start()).status).toBe(200);

  await running.graphql(WITH_ID('deleteWorkflow'), { id }, token);
  const gone = await start();
  expect([gone.status, gone.body.error.code]).toEqual([404, 'NOT_FOUND']);
  expect((await running.call('GET', `/workflows/${id}/executions`, { token })).status).toBe(404);
  expect((await running.graphql(LIST, {}, token)).data.workflows.edges).toEqual([]);
  expect(codeOf(await running.graphql(WITH_ID('pauseWorkflow'), { id }, token))).toBe('NOT_FOUND');
});

test('parameters are validated against their schema', async () => {
  const running = await testApp();
  const { token } = await makeStage(running.app);
  const id = await makeWorkflow(running, token, [text('a')], {
    parametersSchema: { type: 'object', properties: { n: { type: 'integer', minimum: 1 } }, required: ['n'] },
  });
  const start = (body: unknown) => running.call('POST', `/workflows/${id}/execute`, { token, body });
  for (const body of [
    {},
    { parameters: { n: 0 } },
    { parameters: { n: 'x' } },
    { parameters: [1] },
    { parameters: 3 },
    { parameters: { n: 1, text: 'half a pair: \ud800' } },
    { parameters: { n: 1, text: 'nothing: \0' } },
  ]) {
    const answer = await start(body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  }
  expect((await start({ parameters: { n: 1 } })).status).toBe(200);
  expect((await running.call('POST', `/workflows/${id}/execute`, { token })).status).toBe(400);
});

test('an Idempotency-Key starts one execution', async () => {
  const running = await testApp();
  const { token } = await makeStage(running.app);
  const id = await makeWorkflow(running, token, [text('a')]);
  const start = () =>
    running.call('POST', `/workflows/${id}/execute`, {
      token,
      body: {},
      headers: { 'idempotency-key': 'once' },
    });
  const [first, second] = [await start(), await start()];
  expect(second.body).toEqual(first.body);
  expect((await running.call('GET', `/workflows/${id}/executions`, { token })).body.data).toHaveLength(1);
});

test('executions are listed newest first, up to the limit', async () => {
  const running = await testApp();
  const { token } = await makeStage(running.app);
  const id = await makeWorkflow(running, token, [text('a')]);
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.unshift(await execute(running, token, id));
  const list = async (query: string) => {
    const { body } = await running.call('GET', `/workflows/${id}/executions${query}`, { token });
    return body.data.map(({ executionId }: { executionId: string }) => executionId);
  };
  expect(await list('')).toEqual(ids);
  expect(await list('?limit=2')).toEqual(ids.slice(0, 2));
  expect(await list('?limit=5000')).toEqual(ids);
  expect((await running.call('GET', `/workflows/${id}/executions?limit=none`, { token })).status).toBe(400);
});

test('REST cannot create, change or delete workflows', async () => {
  const running = await testApp();
  const { token } = await makeStage(running.app);
  const id = await makeWorkflow(running, token, [text('a')]);
  expect((await running.call('POST', '/workflows', { token, body: {} })).status).toBe(405);
  for (const method of ['PATCH', 'DELETE']) {
    expect([404, 405]).toContain(
      (await running.call(method, `/workflows/${id}`, { token, body: {} })).status,
    );
  }
});

test('only ADMIN and INSTRUCTOR can access workflows', async () => {
  const running = await testApp();
  const { center, token } = await makeStage(running.app);
  const id = await makeWorkflow(running, token, [text('a')]);
  for (const role of ['PARENT', 'CHILD'] as const) {
    const other = await makeMember(running.app, center.id, role);
    expect((await running.call('GET', '/workflows', { token: other.token })).body.error.code).toBe(
      'INSUFFICIENT_ROLE',
    );
    const started = await running.call('POST', `/workflows/${id}/execute`, { token: other.token, body: {} });
    expect([started.status, started.body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect(codeOf(await running.graphql(LIST, {}, other.token))).toBe('INSUFFICIENT_ROLE');
    const asNode = await running.graphql(
      'query ($id: ID!) { node(id: $id) { ... on Workflow { name } } }',
      { id },
      other.token,
    );
    expect(asNode.data?.node ?? null).toBeNull();
    expect(codeOf(asNode)).toBe('INSUFFICIENT_ROLE');
  }
  const instructor = await makeMember(running.app, center.id, 'INSTRUCTOR');
  expect((await running.call('GET', '/workflows', { token: instructor.token })).body.data).toHaveLength(1);
});

test('another center can neither read nor change workflows', async () => {
  const running = await testApp();
  const { token } = await makeStage(running.app);
  const other = await makeStage(running.app);
  const id = await makeWorkflow(running, token, [text('a')]);
  const executionId = await execute(running, token, id);

  expect((await running.call('GET', '/workflows', { token: other.token })).body.data).toEqual([]);
  expect(
    (await running.call('POST', `/workflows/${id}/execute`, { token: other.token, body: {} })).status,
  ).toBe(404);
  expect((await running.call('GET', `/workflows/${id}/executions`, { token: other.token })).status).toBe(404);
  for (const mutation of ['pauseWorkflow', 'resumeWorkflow', 'deleteWorkflow']) {
    expect(codeOf(await running.graphql(WITH_ID(mutation), { id }, other.token))).toBe('NOT_FOUND');
  }
  const input = { id, name: 'Stolen', type: 'MANUAL', steps: [text('a')] };
  expect(codeOf(await running.graphql(UPDATE, { input }, other.token))).toBe('NOT_FOUND');
  const cancel = `mutation ($id: ID!) { cancelWorkflowExecution(input: { id: $id }) { id } }`;
  expect(codeOf(await running.graphql(cancel, { id: executionId }, other.token))).toBe('NOT_FOUND');
  const decide = `mutation ($id: ID!) { decideWorkflowReview(input: { executionId: $id, approved: true }) { id } }`;
  expect(codeOf(await running.graphql(decide, { id: executionId }, other.token))).toBe('NOT_FOUND');
  const look = `query ($id: ID!, $exe: ID!) { workflow(id: $id) { id } workflowExecution(id: $exe) { id } a: node(id: $id) { id } b: node(id: $exe) { id } }`;
  expect((await running.graphql(look, { id, exe: executionId }, other.token)).data).toEqual({
    workflow: null,
    workflowExecution: null,
    a: null,
    b: null,
  });
});

test('a deleted workflow has no next runs', async () => {
  const running = await testApp();
  const { token } = await makeStage(running.app);
  const id = await makeWorkflow(running, token, [text('a')], { type: 'SCHEDULED', cron: '0 6 * * *' });
  const remove = 'mutation ($id: ID!) { deleteWorkflow(input: { id: $id }) { id nextRuns } }';
  const { data, errors } = await running.graphql(remove, { id }, token);
  expect(errors).toBeUndefined();
  expect(data.deleteWorkflow).toEqual({ id, nextRuns: [] });
});
