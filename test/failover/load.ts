import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Answer, TestClient } from '../helpers/client.ts';

const CALLERS = 4;
const PATIENCE_MS = 60_000;

/** Callers that record and approve decisions, and repeat each call with its key until it has a final answer. */
export function startSealing(services: TestClient[], key: string, prefix = 'decision') {
  /** The ids of decisions with an acknowledged approval, by their tag. */
  const sealed = new Map<string, string>();
  const surprises: string[] = [];
  let on = true;
  let calls = 0;

  async function insist(path: string, name: string, body: object): Promise<Answer> {
    for (const until = Date.now() + PATIENCE_MS; ; ) {
      const service = services[calls++ % services.length]!;
      const headers = { 'idempotency-key': name };
      const answer = await service
        .call('POST', `/v1${path}`, { token: key, body, headers })
        .catch(() => null);
      const isFinal =
        answer && answer.status !== 503 && !(answer.status === 409 && answer.headers.has('retry-after'));
      if (isFinal || Date.now() > until || !(on || answer)) return answer!;
      await sleep(20);
    }
  }

  async function seal(name: string): Promise<void> {
    const body = {
      type: 'custom',
      actor: { id: 'load', type: 'system' },
      action: { type: 'note', input: { name } },
      tags: [name],
    };
    const recorded = await insist('/decision-events', `${name}-record`, body);
    if (recorded?.status !== 201) return void surprises.push(`${name}: ${recorded?.text}`);
    const { id } = recorded.body.data as { id: string };
    const approval = { approver: { id: 'boss', type: 'human' }, result: 'approved' };
    const approved = await insist(`/decision-events/${id}/approvals`, `${name}-approve`, approval);
    if (approved?.status !== 200) return void surprises.push(`${name}: ${approved?.text}`);
    sealed.set(name, id);
  }

  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let n = 0; on; n++) await seal(`${prefix}-${caller}-${n}`);
  });
  /** Lets running calls finish. */
  async function stop(): Promise<void> {
    on = false;
    await Promise.all(callers);
  }
  // Also when the test fails, so that no one calls a stopped service.
  onTestFinished(stop);
  return { sealed, surprises, stop };
}
