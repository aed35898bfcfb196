// The upper bound of sending: a loop that posts one prepared body with undici a number of times.
import { Pool } from 'undici';

const target = new URL(process.env['BENCH_TARGET']!);
const CALLERS = 64;
let left = Number(process.env['BENCH_COUNT']);
const endpoint = new Pool(target.origin, { connections: CALLERS });
const headers = { 'content-type': 'application/json' };
const body = JSON.stringify({ type: 'payment.completed', data: 'x'.repeat(400), deliveryAttempt: 1 });

async function post(): Promise<void> {
  while (left-- > 0) {
    const response = await endpoint.request({ method: 'POST', path: target.pathname, headers, body });
    await response.body.text();
  }
}

process.on('SIGTERM', () => process.exit(0));
process.send?.({});
await Promise.all(Array.from({ length: CALLERS }, post));
