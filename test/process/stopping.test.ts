import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { startServer } from '../helpers/process.ts';
import { makeStage } from '../helpers/world.ts';
import { decision } from '../proof/decisions.ts';

const CALLERS = 24;

interface Said {
  status: number;
  connection: string | undefined;
  id: string;
}

test('a process stopped under load answers every accepted request, and exits with 0', async () => {
  const stagehand = await testApp();
  const { key, token } = await makeStage(stagehand.app);
  const { url: DATABASE_URL, checkpointFile: CHECKPOINT_FILE } = stagehand.database;
  const env = { DATABASE_URL, CHECKPOINT_FILE, ROLE: 'api', RATE_PROOF: '0', SHUTDOWN_SECONDS: '40' };
  const server = await startServer({ env });
  onTestFinished(async () => void (await server.end('SIGKILL')));
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  onTestFinished(() => agent.destroy());

  const record = () =>
    new Promise<Said>((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const call = request(`${server.url}/api/v1/decision-events`, { method: 'POST', agent, headers });
      call.on('error', reject).on('response', (response: IncomingMessage) => {
        const { statusCode, headers } = response;
        text(response)
          .then((body) => JSON.parse(body).data?.id)
          .then((id) => resolve({ status: statusCode!, connection: headers.connection, id }))
          .catch(reject);
      });
      call.end(JSON.stringify(decision));
    });

  const said: Said[] = [];
  let signalled = false;
  const faults: unknown[] = [];
  /** Calls repeatedly on its connection until no server accepts it. */
  async function callUntilRefused(): Promise<Said> {
    for (let last: Said; ; ) {
      try {
        last = await record();
        said.push(last);
        // A closed connection must be caused by the signal; then check whether a server is there.
        if (last.connection === 'close' && !signalled) faults.push('closed before the signal');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return last!;
        faults.push(error);
        return last!;
      }
    }
  }
  const stream = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ query: 'subscription { decisionEvents { id } }' }),
  });
  const streamed = stream.text();
  const callers = Array.from({ length: CALLERS }, () => callUntilRefused());
  await eventually(() => said.length > 10 * CALLERS);
  const began = Date.now();
  signalled = true;
  const exit = server.end('SIGTERM');
  const lasts = await Promise.all(callers);

  expect(faults).toEqual([]);
  expect(lasts.map(({ connection }) => connection)).toEqual(lasts.map(() => 'close'));
  expect(new Set(said.map(({ status }) => status))).toEqual(new Set([201]));
  // The stream ended cleanly.
  expect(await streamed).toContain('event: next');
  expect(await exit).toBe(0);
  // It waited for none of them until the end of its time.
  expect(Date.now() - began).toBeLessThan(30_000);
  const { rows } = await stagehand.superuser.query('SELECT id FROM decision_event');
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(said.map(({ id }) => id)));
});
