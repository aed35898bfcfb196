import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Call } from '../harness/http.ts';
import type { Stage } from '../harness/stage.ts';

/** Far below what the service can do: a soak looks for what piles up, not for speed. */
export const CALLS_A_SECOND = 100;

const CONNECTIONS = 16;
const EVENTS = '/api/v1/decision-events';

const decision = JSON.stringify({
  type: 'ai_recommendation',
  actor: { id: 'triage-bot', type: 'ai_agent' },
  action: { type: 'appointment.move', input: { from: 'Mon', to: 'Tue' } },
  tags: ['soak'],
});
const approval = JSON.stringify({ approver: { id: 'dr-kim', type: 'human' }, result: 'approved' });

export interface Load {
  /** How many calls were made so far. */
  calls: number;
  /** Resolves when the time is up and every call is answered. */
  done: Promise<void>;
}

/**
 * Reads, records and approvals at a fixed rate, whatever the answers take. Every record and every seal is an event that
 * a worker delivers.
 */
export function startLoad(stage: Stage, port: number, dpuIds: string[], seconds: number): Load {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS });
  const byToken = { authorization: `Bearer ${stage.token}` };
  const byKey = { authorization: `Bearer ${stage.key}` };
  const json = { ...byKey, 'content-type': 'application/json' };
  /** Recorded and not yet approved. */
  const waiting: string[] = [];

  const send = async (call: Call, expected: number): Promise<{ data: { id: string } }> => {
    const { statusCode, body } = await pool.request(call);
    const text = await body.text();
    if (statusCode !== expected) throw new Error(`${call.method} ${call.path}: ${statusCode} ${text}`);
    return JSON.parse(text);
  };
  const get = (path: string, headers: Record<string, string>) => send({ method: 'GET', path, headers }, 200);
  const anyDpu = () => dpuIds[Math.floor(Math.random() * dpuIds.length)]!;
  const record = async () => {
    const { data } = await send({ method: 'POST', path: EVENTS, headers: json, body: decision }, 201);
    waiting.push(data.id);
  };
  const approve = async () => {
    const id = waiting.shift();
    if (!id) return;
    await send({ method: 'POST', path: `${EVENTS}/${id}/approvals`, headers: json, body: approval }, 200);
  };
  const mixture = [
    () => get(`/api/dpu/${anyDpu()}`, byToken),
    record,
    () => get(`${EVENTS}?limit=50`, byKey),
    () => get('/api/dpu/stats', byToken),
    approve,
    () => get(`${EVENTS}?status=sealed&limit=20`, byKey),
    record,
    () => get('/api/auth/me', byToken),
    approve,
    () => get(`/api/dpu/${anyDpu()}/responsibility`, byToken),
  ];

  const load: Load = { calls: 0, done: Promise.resolve() };
  const run = async () => {
    const begun = performance.now();
    const under = new Set<Promise<unknown>>();
    let failure: unknown;
    while (load.calls < seconds * CALLS_A_SECOND && failure === undefined) {
      const due = begun + (load.calls * 1_000) / CALLS_A_SECOND;
      if (due > performance.now()) await sleep(due - performance.now());
      const call = mixture[load.calls % mixture.length]!()
        .catch((error: unknown) => {
          failure = error;
        })
        .finally(() => under.delete(call));
      under.add(call);
      load.calls++;
    }
    await Promise.all(under);
    await pool.close();
    if (failure !== undefined) throw failure;
  };
  load.done = run();
  return load;
}
