import { expect, onTestFinished, test } from 'vitest';
import { holdPort } from '../../src/start/port.ts';

test('the keep-alive timeout exceeds the minute that proxies use', async () => {
  const held = await holdPort('127.0.0.1', 0);
  onTestFinished(() => held.close(0));
  held.serve((_, response) => response.end());
  const { headers } = await fetch(`http://127.0.0.1:${held.port}/`);
  const [, seconds] = /^timeout=(\d+)$/.exec(headers.get('keep-alive') ?? '') ?? [];
  expect(Number(seconds)).toBeGreaterThan(60);
});
