import type { Scenario } from '../harness/scenario.ts';
import { deliver, deliverPromptly } from './deliver.ts';
import { graphqlDpu } from './graphql-dpu.ts';
import { listEvents } from './list-events.ts';
import { readDpu } from './read-dpu.ts';
import { recordEvent } from './record-event.ts';
import { sealManyChains, sealOneChain } from './seal.ts';
import { verifyChain } from './verify.ts';

/** In the order in which they run. */
export const scenarios: Scenario[] = [
  readDpu,
  listEvents,
  recordEvent,
  graphqlDpu,
  sealOneChain,
  sealManyChains,
  verifyChain,
  deliver,
  deliverPromptly,
];
