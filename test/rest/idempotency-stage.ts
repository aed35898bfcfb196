import { testApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';

export const decision = (note: string) => ({
  type: 'custom',
  actor: { id: 'a', type: 'system' },
  action: { type: 'note', input: { note, more: 1 } },
});
export const PATH = '/v1/decision-events';

/** A center with a key, and requests with an idempotency key. */
export async function stage() {
  const running = await testApp();
  const { center, key } = await makeStage(running.app);
  const post = (idempotencyKey: string, body: unknown, token = key) =>
    running.call('POST', PATH, { token, body, headers: { 'idempotency-key': idempotencyKey } });
  const count = () => running.app.db.forCenter(center.id).decisionEvent.count();
  return { ...running, center, key, post, count };
}
