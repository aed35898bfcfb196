import { systemContext } from '../../src/domain/context.ts';
import { eventCatalog } from '../../src/domain/events/catalog.ts';
import { transact } from '../../src/domain/unit-of-work.ts';
import type { Stage } from './stage.ts';

const A_TRANSACTION = 500;

/** Emits events in the center, a few hundred per transaction. */
export async function emit({ app, centerId }: Stage, count: number): Promise<void> {
  const { example } = eventCatalog['payment.completed'];
  const ctx = systemContext(app, 'bench', centerId);
  for (let done = 0; done < count; done += A_TRANSACTION) {
    await transact(ctx, async (work) => {
      for (let i = 0; i < Math.min(A_TRANSACTION, count - done); i++) work.emit('payment.completed', example);
    });
  }
}
