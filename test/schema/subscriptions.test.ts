import { expect, onTestFinished, test } from 'vitest';
import { systemContext } from '../../src/domain/context.ts';
import { transact } from '../../src/domain/unit-of-work.ts';
import { startTestApp, testApp } from '../helpers/app.ts';
import { firstResult, watch } from '../helpers/watch.ts';
import { makeStage } from '../helpers/world.ts';

test('a subscription receives commits of other processes, and nothing from other centers', async () => {
  const listening = await testApp();
  const acting = await startTestApp({ database: listening.database });
  onTestFinished(() => acting.close());
  const { center, token } = await makeStage(listening.app);
  const other = await makeStage(listening.app);
  const next = await watch(listening, 'subscription { events { id type data } }', token);

  const emit = (centerId: number) =>
    transact(systemContext(acting.app, 'test', centerId), async (work) =>
      work.emit('dpu.sealed', {
        dpuId: `of ${centerId}`,
        chainHash: '0'.repeat(64),
        domain: 'proof',
        actorId: 'x',
      }),
    );
  const { data } = await firstResult(next, async () => {
    await emit(other.center.id);
    await emit(center.id);
  });
  expect(data.events).toMatchObject({ type: 'dpu.sealed', data: { dpuId: `of ${center.id}` } });
});
