import { expect, test, vi } from 'vitest';
import { runSchedules } from '../../src/domain/workflows/run-schedules.ts';
import { testApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';
import { makeWorkflow, text } from './steps.ts';

vi.setConfig({ testTimeout: 90_000 });

const WITH_ID = (name: string) => /* GraphQL */ `
  mutation ($id: ID!) { ${name}(input: { id: $id }) { id nextRunAt } }`;

/** A workflow whose last run was scheduled for a given time. */
async function stage(cron: string, timezone: string, nextRunAt: string) {
  const running = await testApp();
  const { token, center } = await makeStage(running.app);
  const id = await makeWorkflow(running, token, [text('a')], { type: 'SCHEDULED', cron, timezone });
  const { db } = running.app;
  await db.acrossTenants.workflow.update({ where: { id }, data: { nextRunAt: new Date(nextRunAt) } });
  const occurrences = async () => {
    const rows = await db.forCenter(center.id).workflowExecution.findMany({ orderBy: { occurrence: 'asc' } });
    return rows.map(({ occurrence }) => occurrence);
  };
  const at = (moment: string) => runSchedules(running.app, new Date(moment));
  return { running, token, center, id, occurrences, at };
}

test('a run starts on time, and once with any number of workers', async () => {
  const { occurrences, at, running, id } = await stage('0 9 * * *', 'UTC', '2027-01-10T09:00:00Z');
  await at('2027-01-10T08:59:59Z');
  expect(await occurrences()).toEqual([]);
  await Promise.all(Array.from({ length: 6 }, () => at('2027-01-10T09:00:00Z')));
  expect(await occurrences()).toEqual(['2027-01-10T09:00:00.000Z']);
  await at('2027-01-10T09:01:00Z');
  expect(await occurrences()).toHaveLength(1);
  const workflow = await running.app.db.acrossTenants.workflow.findUniqueOrThrow({ where: { id } });
  expect(workflow.nextRunAt).toEqual(new Date('2027-01-11T09:00:00Z'));
  await at('2027-01-11T09:00:20Z');
  expect(await occurrences()).toEqual(['2027-01-10T09:00:00.000Z', '2027-01-11T09:00:00.000Z']);
});

test('after downtime one run replaces all missed ones', async () => {
  const { occurrences, at } = await stage('*/15 * * * *', 'UTC', '2027-01-10T09:00:00Z');
  await at('2027-01-12T10:07:00Z');
  await at('2027-01-12T10:08:00Z');
  expect(await occurrences()).toEqual(['2027-01-12T10:00:00.000Z']);
  await at('2027-01-12T10:15:00Z');
  expect(await occurrences()).toHaveLength(2);
});

test('an occurrence that has run does not run again, even if nextRunAt is reset', async () => {
  const { occurrences, at, running, id } = await stage('0 9 * * *', 'UTC', '2027-01-10T09:00:00Z');
  await at('2027-01-10T09:00:00Z');
  const nextRunAt = new Date('2027-01-10T09:00:00Z');
  await running.app.db.acrossTenants.workflow.update({ where: { id }, data: { nextRunAt } });
  await at('2027-01-10T09:02:00Z');
  expect(await occurrences()).toEqual(['2027-01-10T09:00:00.000Z']);
});

test.each([
  // On March 28 02:30 does not exist there; on October 31 it occurs twice.
  ['2027-03-27', ['2027-03-27T01:30:00.000Z', '2027-03-28T01:00:00.000Z', '2027-03-29T00:30:00.000Z']],
  ['2027-10-30', ['2027-10-30T00:30:00.000Z', '2027-10-31T00:30:00.000Z', '2027-11-01T01:30:00.000Z']],
])(
  'a daily run follows the wall clock of its time zone when the clocks change around %s',
  async (day, expected) => {
    const { occurrences, at } = await stage('30 2 * * *', 'Europe/Berlin', expected[0]!);
    const midnight = new Date(`${day}T00:00:00Z`).getTime();
    for (let hour = 0; hour < 72; hour++) {
      await at(new Date(midnight + (hour * 60 + 40) * 60_000).toISOString());
    }
    expect(await occurrences()).toEqual(expected);
  },
);

test('a paused workflow and a suspended center start nothing; missed runs are not made up', async () => {
  const { occurrences, at, running, id, token, center } = await stage(
    '0 * * * *',
    'UTC',
    '2027-01-10T09:00:00Z',
  );
  await running.graphql(WITH_ID('pauseWorkflow'), { id }, token);
  await at('2027-01-10T09:30:00Z');
  expect(await occurrences()).toEqual([]);
  const resumed = await running.graphql(WITH_ID('resumeWorkflow'), { id }, token);
  const next = new Date(resumed.data.resumeWorkflow.nextRunAt);
  expect(next.getTime()).toBeGreaterThan(Date.now());
  expect(next.getTime() - Date.now()).toBeLessThanOrEqual(3_600_000);

  const { center: centers } = running.app.db.acrossTenants;
  await centers.update({ where: { id: center.id }, data: { status: 'SUSPENDED' } });
  const due = new Date(next.getTime() + 60_000).toISOString();
  await at(due);
  expect(await occurrences()).toEqual([]);
  await centers.update({ where: { id: center.id }, data: { status: 'ACTIVE' } });
  await at(due);
  expect(await occurrences()).toEqual([next.toISOString()]);
});
