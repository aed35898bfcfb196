import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

const file = new URL('../../ops/grafana-dashboard.json', import.meta.url);
const { panels } = JSON.parse(readFileSync(file, 'utf8')) as Dashboard;

test('every metric on the dashboard exists, with its labels', async () => {
  const running = await testApp({ worker: true });
  const { token } = await makeStage(running.app);
  await running.call('POST', '/dpu/demo', { token, body: {} });
  const text = await (await running.fetch('/metrics')).text();
  const names = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!));
  const asked = panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) =>
      [...expr.matchAll(/\b(?:countersign|process|nodejs)_\w+/g)].map(([name]) => name),
    ),
  );
  expect(asked.length).toBeGreaterThan(15);
  expect(asked.filter((name) => !names.has(name.replace(/_bucket$/, '')))).toEqual([]);
  // One panel for each of our metrics.
  const own = [...names].filter((name) => name.startsWith('countersign_'));
  expect(own.filter((name) => !asked.some((each) => each.startsWith(name)))).toEqual([]);
  for (const line of [
    'countersign_database_up 1',
    'countersign_worker_alive 1',
    'countersign_database_connections{pool="queue",state="idle"}',
    'countersign_chain_records{domain="platform"} 1',
  ]) {
    expect(text).toContain(line);
  }
});
