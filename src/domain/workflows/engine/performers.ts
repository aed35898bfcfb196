import type { Step } from '../definition/steps.ts';
import { ai } from './kinds/ai.ts';
import { emitEvent, recordDecision } from './kinds/effects.ts';
import { branch, condition, humanReview, template, wait } from './kinds/flow.ts';
import { http } from './kinds/http.ts';
import type { Performer } from './outcome.ts';

/** One performer per kind. A kind without one does not compile. */
const performers: { [Kind in Step['kind']]: Performer<Extract<Step, { kind: Kind }>> } = {
  template,
  http,
  condition,
  branch,
  wait,
  emit_event: emitEvent,
  record_decision: recordDecision,
  human_review: humanReview,
  ai,
};

export function performerOf(step: Step): Performer {
  return performers[step.kind] as unknown as Performer;
}
