import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeMember, makeStage } from '../helpers/world.ts';
import { execute, makeWorkflow, outsideSystem, reaches, type ShownStep, text } from './steps.ts';

vi.setConfig({ testTimeout: 90_000 });

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp({ worker: true });
});
afterAll(() => running.close());

const branch = (name: string, condition: string, yes: unknown[], no: unknown[]) => ({
  name,
  kind: 'branch',
  if: condition,
  yes,
  no,
});
const review = (name: string, more: object = {}) => ({ name, kind: 'human_review', prompt: 'Pay?', ...more });
const statuses = (steps: ShownStep[]) => Object.fromEntries(steps.map(({ name, status }) => [name, status]));

const DECIDE = /* GraphQL */ `
  mutation ($input: DecideWorkflowReviewInput!) { decideWorkflowReview(input: $input) { id status } }`;
const QUESTIONS = /* GraphQL */ `
  { workflowQuestions(first: 10) { totalCount edges { node { id question { step prompt roles forMe } } } } }`;

test('one side of a branch runs, the other is skipped, and the run continues after it', async () => {
  const { token } = await makeStage(running.app);
  const id = await makeWorkflow(running, token, [
    text('first'),
    branch(
      'large',
      'parameters.amount > 100.0',
      [text('manual'), branch('huge', 'parameters.amount > 1000.0', [text('board')], [text('manager')])],
      [text('automatic')],
    ),
    text('last', '{{ has(steps.manual) ? "by hand" : "by itself" }}'),
  ]);
  const expected = (amount: number) =>
    execute(running, token, id, { amount }).then((run) => reaches(running, token, run, 'COMPLETED'));
  const small = await expected(5);
  expect(statuses(small.steps)).toEqual({
    first: 'COMPLETED',
    large: 'COMPLETED',
    manual: 'SKIPPED',
    huge: 'SKIPPED',
    board: 'SKIPPED',
    manager: 'SKIPPED',
    automatic: 'COMPLETED',
    last: 'COMPLETED',
  });
  expect(small.steps.at(-1)!.output).toEqual({ text: 'by itself' });
  const middle = await expected(500);
  expect(statuses(middle.steps)).toMatchObject({
    manual: 'COMPLETED',
    huge: 'COMPLETED',
    board: 'SKIPPED',
    manager: 'COMPLETED',
    automatic: 'SKIPPED',
    last: 'COMPLETED',
  });
  expect(middle.steps.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(middle.steps.at(-1)!.output).toEqual({ text: 'by hand' });
});

test('a branch with an empty side continues after it, also at the end of an outer branch', async () => {
  const { token } = await makeStage(running.app);
  const id = await makeWorkflow(running, token, [
    branch(
      'outer',
      'parameters.amount > 100.0',
      [text('manual'), branch('inner', 'parameters.amount > 1000.0', [text('board')], [])],
      [text('automatic')],
    ),
    branch('empty', 'parameters.amount > 100.0', [], [text('never')]),
    text('last'),
  ]);
  const run = await execute(running, token, id, { amount: 500 });
  expect(statuses((await reaches(running, token, run, 'COMPLETED')).steps)).toEqual({
    outer: 'COMPLETED',
    manual: 'COMPLETED',
    inner: 'COMPLETED',
    board: 'SKIPPED',
    automatic: 'SKIPPED',
    empty: 'COMPLETED',
    never: 'SKIPPED',
    last: 'COMPLETED',
  });
});

test('a review at the end of a side continues after the branch, and a retry takes the same side', async () => {
  const { graphql } = running;
  const { token } = await makeStage(running.app);
  const id = await makeWorkflow(running, token, [
    branch('ask', 'true', [text('before'), review('check')], [text('never')]),
    text('after', '{{ steps.ask.holds }}'),
  ]);
  const rejected = await execute(running, token, id);
  await reaches(running, token, rejected, 'AWAITING_REVIEW');
  await graphql(DECIDE, { input: { executionId: rejected, approved: false } }, token);
  await reaches(running, token, rejected, 'FAILED');
  const RETRY = `mutation ($id: ID!) { retryWorkflowExecution(input: { id: $id }) { id } }`;
  const { data } = await graphql(RETRY, { id: rejected }, token);
  const again = data.retryWorkflowExecution.id;
  await reaches(running, token, again, 'AWAITING_REVIEW');
  await graphql(DECIDE, { input: { executionId: again, approved: true } }, token);
  const done = await reaches(running, token, again, 'COMPLETED');
  expect(statuses(done.steps)).toEqual({
    ask: 'COMPLETED',
    before: 'COMPLETED',
    check: 'COMPLETED',
    never: 'SKIPPED',
    after: 'COMPLETED',
  });
});

test('pending reviews are listed for the roles that can decide them', async () => {
  const { app, graphql } = running;
  const { token, center } = await makeStage(app);
  const stranger = await makeStage(app);
  const instructor = await makeMember(app, center.id, 'INSTRUCTOR');
  const parent = await makeMember(app, center.id, 'PARENT');
  const admins = await makeWorkflow(running, token, [review('boss', { roles: ['ADMIN'] })]);
  const both = await makeWorkflow(running, token, [review('any', { roles: ['ADMIN', 'INSTRUCTOR'] })]);
  for (const id of [admins, both]) {
    await reaches(running, token, await execute(running, token, id), 'AWAITING_REVIEW');
  }
  const asked = async (who: string) => (await graphql(QUESTIONS, {}, who)).data.workflowQuestions;
  const steps = (list: { edges: { node: { question: { step: string } } }[] }) =>
    list.edges.map(({ node }) => node.question.step);
  expect(steps(await asked(token))).toEqual(['any', 'boss']);
  const theirs = await asked(instructor.token);
  expect(theirs.totalCount).toBe(1);
  expect(theirs.edges[0].node.question).toEqual({
    step: 'any',
    prompt: 'Pay?',
    roles: ['ADMIN', 'INSTRUCTOR'],
    forMe: true,
  });
  expect((await asked(stranger.token)).totalCount).toBe(0);
  const { errors } = await graphql(QUESTIONS, {}, parent.token);
  expect(errors?.[0]?.extensions.code).toBe('INSUFFICIENT_ROLE');
});

const DRY = /* GraphQL */ `
  query ($definition: JSON!, $parameters: JSON, $event: JSON, $outputs: JSON) {
    dryRunWorkflow(definition: $definition, parameters: $parameters, event: $event, outputs: $outputs) {
      path name status input output assumed error
    }
  }`;

test('a dry run returns the steps that would run and executes nothing', async () => {
  const { app, graphql } = running;
  const { token, center } = await makeStage(app);
  const outside = await outsideSystem();
  const steps = [
    {
      name: 'call',
      kind: 'http',
      url: `${outside.url}/{{ parameters.who }}`,
      body: { type: '{{ event.type }}' },
    },
    branch(
      'answer',
      'steps.call.status == 200.0',
      [
        review('check'),
        { name: 'keep', kind: 'record_decision', action: { type: 'pay.{{ parameters.who }}' } },
      ],
      [text('sorry')],
    ),
    { name: 'later', kind: 'wait', seconds: 3_600 },
    text('done', '{{ steps.answer.holds }}'),
  ];
  const definition = { name: 'Dry', type: 'MANUAL', steps };
  const dry = async (variables: object) =>
    (await graphql(DRY, { definition, parameters: { who: 'ann' }, ...variables }, token)).data.dryRunWorkflow;
  const approved = await dry({ event: { type: 'payment.failed' } });
  expect(approved.map(({ path, status }: Record<string, string>) => [path, status])).toEqual([
    ['steps.0', 'RUN'],
    ['steps.1', 'RUN'],
    ['steps.1.yes.0', 'RUN'],
    ['steps.1.yes.1', 'RUN'],
    ['steps.1.no.0', 'SKIPPED'],
    ['steps.2', 'RUN'],
    ['steps.3', 'RUN'],
  ]);
  expect(approved[0]).toMatchObject({
    assumed: true,
    input: { url: `${outside.url}/ann`, body: { type: 'payment.failed' } },
  });
  expect(approved[3].input).toMatchObject({ action: { type: 'pay.ann' } });
  expect(approved.at(-1)).toMatchObject({ output: { text: 'true' }, assumed: false });
  const refused = await dry({ outputs: { check: { approved: false } } });
  expect(refused.slice(2).map(({ status }: { status: string }) => status)).toEqual([
    'FAILED',
    'NOT_REACHED',
    'NOT_REACHED',
    'NOT_REACHED',
    'NOT_REACHED',
  ]);
  const missing = await dry({ outputs: { call: { status: 404 } } });
  expect(missing.find(({ name }: { name: string }) => name === 'sorry').status).toBe('RUN');

  const { errors } = await graphql(
    DRY,
    { definition: { ...definition, steps: [{ ...steps[0], ulr: 1 }] } },
    token,
  );
  expect(errors?.[0]?.extensions).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { fields: [{ path: 'definition.steps.0.ulr', message: 'unknown property' }] },
  });
  const db = app.db.forCenter(center.id);
  expect(outside.received).toEqual([]);
  expect(await db.workflowExecution.count()).toBe(0);
  expect(await db.decisionEvent.count()).toBe(0);
});

test('the names listed for expressions pass validation', async () => {
  const { graphql } = running;
  const { token } = await makeStage(running.app);
  const NAMES = `{ workflowNames { values { name } outputs { kind members { name } } } }`;
  const { values, outputs } = (await graphql(NAMES, {}, token)).data.workflowNames;
  const every = values.map(({ name }: { name: string }) => `{{ ${name} }}`).join(' ');
  const members = outputs
    .find(({ kind }: { kind: string }) => kind === 'human_review')
    .members.map(({ name }: { name: string }) => `{{ steps.check.${name} }}`)
    .join(' ');
  const id = await makeWorkflow(running, token, [review('check'), text('all', `${every} ${members}`)]);
  const run = await execute(running, token, id);
  await reaches(running, token, run, 'AWAITING_REVIEW');
  await graphql(DECIDE, { input: { executionId: run, approved: true } }, token);
  await reaches(running, token, run, 'COMPLETED');
});
