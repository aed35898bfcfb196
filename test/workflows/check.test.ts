import { expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';
import { text } from './steps.ts';

const CHECK = /* GraphQL */ `
  query ($definition: JSON!) { checkWorkflow(definition: $definition) { faults { path message } nextRuns } }`;
const CREATE = /* GraphQL */ `
  mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }`;

test('the editor gets the same errors as saving, each at its field', async () => {
  const { app, graphql } = await testApp();
  const { token } = await makeStage(app);
  const faultsOf = async (definition: object) => {
    const { data, errors } = await graphql(CHECK, { definition }, token);
    expect(errors).toBeUndefined();
    return data.checkWorkflow.faults as { path: string; message: string }[];
  };
  const sound = { name: 'Sound', type: 'MANUAL', steps: [text('a', '{{ facts.members }}')] };
  expect(await faultsOf(sound)).toEqual([]);
  const inBranch = { name: 'b', kind: 'branch', if: 'true', yes: [text('a', '{{ facts.membrs }}')], no: [] };
  const broken = { ...sound, steps: [inBranch] };
  const [fault, ...others] = await faultsOf(broken);
  expect(others).toEqual([]);
  expect(fault!.path).toBe('steps.0.yes.0.text');
  expect(fault!.message).toContain('unknown property facts.membrs');
  const refused = await graphql(CREATE, { input: broken }, token);
  expect(refused.errors?.[0]?.extensions.code).toBe('VALIDATION_ERROR');
});

test('the next five runs of an unsaved schedule are computed in its time zone', async () => {
  const { app, graphql } = await testApp();
  const { token } = await makeStage(app);
  const definition = {
    name: 'Morning',
    type: 'SCHEDULED',
    cron: '45 6 * * *',
    timezone: 'Asia/Tokyo',
    steps: [text('a')],
  };
  const { data } = await graphql(CHECK, { definition }, token);
  const runs = data.checkWorkflow.nextRuns as string[];
  expect(data.checkWorkflow.faults).toEqual([]);
  expect(runs.map((run) => run.slice(11, 16))).toEqual(Array(5).fill('21:45'));
});
