import { Pool } from 'undici';
import { closedLoop, type Side } from './measure.ts';

export interface Call {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** As many as seal at once; with half of them a server that gathers writes waits for its callers a quarter of the time. */
export const HTTP_CALLERS = 64;

/**
 * A server has to run hot before its speed says anything: compilers and caches need some ten thousand requests. Then
 * many short turns, because the machine itself changes its speed from second to second.
 */
export const HTTP_PACE = { warmupSeconds: 7, rounds: 6, secondsEach: 1.5 };

/** Callers over keep-alive connections, one each. A wrong status ends the benchmark: speed of errors is no speed. */
export function httpSide(
  port: number,
  callers: number,
  expected: number,
  call: () => Call,
): Side & { close(): Promise<void> } {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: callers, pipelining: 1 });
  const side = closedLoop(callers, async () => {
    const { statusCode, body } = await pool.request(call());
    if (statusCode !== expected) throw new Error(`status ${statusCode}: ${await body.text()}`);
    await body.dump();
  });
  return { ...side, close: () => pool.close() };
}
