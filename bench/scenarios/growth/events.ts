import { fillChain } from '../../harness/fill.ts';
import { fillEvents } from '../../harness/fill-events.ts';
import { grow } from '../../harness/grow.ts';
import type { Survey } from '../../harness/scenario.ts';
import { eventCalls } from './event-calls.ts';
import { checkTotals } from './totals.ts';

const SIZES = [10_000, 100_000, 1_000_000];

export const growthOfEvents: Survey = {
  name: 'growth-events',
  title: 'the same calls with more and more decision events in one center',
  stage: 'million',
  async survey(stage, say) {
    const api = await stage.api();
    const growth = await grow(
      {
        scenario: growthOfEvents.name,
        of: 'decision events',
        sizes: SIZES,
        port: api.port,
        calls: await eventCalls(stage),
        async fillTo(size) {
          await Promise.all([fillChain(stage, 'platform', size), fillEvents(stage, size)]);
          await checkTotals(stage, api.port);
        },
      },
      say,
    );
    return { growth };
  },
};
