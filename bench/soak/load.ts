import { setTimeout as sleep } from 'node:timers/promises';
import { approvalOf, EVENTS, recordingWith } from '../harness/decisions.ts';
import { connectTo } from '../harness/http.ts';
import type { Stage } from '../harness/stage.ts';

/** Far below the service's capacity: a soak test looks for leaks, not for speed. */
export const CALLS_A_SECOND = 100;

const CONNECTIONS = 16;

export interface Load {
  /** The number of calls so far. */
  calls: number;
  /** Resolves when the time is up and every call has been answered. */
  done: Promise<void>;
}

/**
 * Reads, records and approvals at a fixed rate, independent of response times. Every record and seal is an event that a worker
 * delivers.
 */
export function startLoad(stage: Stage, port: number, dpuIds: string[], seconds: number): Load {
  const { send, close } = connectTo(port, CONNECTIONS);
  const byToken = { authorization: `Bearer ${stage.token}` };
  const byKey = { authorization: `Bearer ${stage.key}` };
  /** Recorded but not yet approved. */
  const waiting: string[] = [];

  const get = (path: string, headers: Record<string, string>) => send({ method: 'GET', path, headers }, 200);
  const anyDpu = () => dpuIds[Math.floor(Math.random() * dpuIds.length)]!;
  const record = async () => {
    const body = await send(recordingWith(stage.key), 201);
    waiting.push(JSON.parse(body()).data.id);
  };
  const approve = async () => {
    const id = waiting.shift();
    if (!id) return;
    await send(approvalOf(id, stage.key), 200);
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
    await close();
    if (failure !== undefined) throw failure;
  };
  load.done = run();
  return load;
}
