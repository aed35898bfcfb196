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
    const growth = await grow(
      {
        scenario: growthOfEvents.name,
        of: 'decision events',
        sizes: SIZES,
        async prepare(place, size) {
          await Promise.all([fillChain(place, 'platform', size), fillEvents(place, size)]);
          const { port } = await place.api();
          await checkTotals(place, port);
          return { port, calls: await eventCalls(place) };
        },
      },
      stage,
      say,
    );
    return { growth };
  },
};
