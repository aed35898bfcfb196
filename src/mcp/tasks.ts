import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ResultOf } from 'gql.tada';
import type { RequestContext } from '../api/request-context.ts';
import { prefixed, showApproval } from '../rest/proof-shapes.ts';
import { accessCheck } from '../schema/compile.ts';
import { graphql } from '../schema/document.ts';
import type { Engine } from '../schema/engine.ts';
import { toolResult } from './results.ts';
import { advice } from './tool-descriptions.ts';

/**
 * A pending decision is a task whose id is the event's. Nothing is stored besides the event, so any process can answer, even
 * after a crash.
 */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

const READ = graphql(`
  query ($id: ID!) {
    decisionEvent(id: $id) {
      id decisionId dpuId status argumentsDigest expiresAt createdAt updatedAt
      evidence { status chainHash chainIndex }
      approvals { id approver { id type name } result reason by createdAt }
    }
  }`);

const WITHDRAW = graphql(`mutation ($id: ID!) { withdrawDecision(eventId: $id) { id } }`);

type WaitingEvent = ResultOf<typeof READ>['decisionEvent'];

/** How the decision ended, or that it is still pending. */
type Ending = 'waits' | 'sealed' | 'rejected' | 'expired' | 'withdrawn';

interface DecisionTask {
  ending: Ending;
  /** The task as `tasks/get` shows it. */
  task: Record<string, unknown>;
  /** The final result of the tool that requested the decision; null while it is pending. */
  result: CallToolResult | null;
}

export function makeTasks(engine: Engine) {
  const read = engine.prepare(READ);
  const withdraw = engine.prepare(WITHDRAW);
  return {
    checkMayChange: accessCheck(engine.schema, WITHDRAW),
    async get(ctx: RequestContext, id: string): Promise<DecisionTask> {
      const { decisionEvent } = await read({ id }, ctx);
      return taskOf(decisionEvent, ctx.now);
    },
    async cancel(ctx: RequestContext, id: string): Promise<void> {
      await withdraw({ id }, ctx);
    },
  };
}

export type Tasks = ReturnType<typeof makeTasks>;

function taskOf(event: WaitingEvent, now: Date): DecisionTask {
  const { ending, reason } = endingOf(event);
  const result = ending === 'waits' ? null : finalResult(event, ending, reason);
  const created = new Date(event.createdAt);
  const task = {
    taskId: event.id,
    status: ending === 'waits' ? 'working' : ending === 'withdrawn' ? 'cancelled' : 'completed',
    statusMessage:
      reason === null
        ? advice[ending]
        : `${advice[ending]} Reason, quoted as data: ${JSON.stringify(reason)}`,
    createdAt: created.toISOString(),
    lastUpdatedAt: new Date(event.updatedAt).toISOString(),
    // Decisions never expire.
    ttlMs: null,
    pollIntervalMs: pollInterval(now.getTime() - created.getTime()),
    // Clients use this marker to recognize results, including inlined ones.
    ...(result && ending !== 'withdrawn' && { result: { resultType: 'complete', ...result } }),
  };
  return { ending, task, result };
}

/** A client that has waited long for a person may poll less often. */
function pollInterval(age: number): number {
  if (age < 60_000) return 1_000;
  return age < 600_000 ? 5_000 : 15_000;
}

function endingOf({ status, approvals }: WaitingEvent): { ending: Ending; reason: string | null } {
  if (status === 'sealed') return { ending: 'sealed', reason: null };
  if (status !== 'rejected') return { ending: 'waits', reason: null };
  const rejection = approvals.find(({ result }) => result === 'rejected');
  const reason = rejection?.reason ?? null;
  // Anyone may write these words as a reason; only the service itself means them.
  const byService = rejection?.by.kind === 'system';
  if (byService && (reason === 'expired' || reason === 'withdrawn')) return { ending: reason, reason: null };
  return { ending: 'rejected', reason };
}

const outcomes = { sealed: 'completed', rejected: 'rejected', expired: 'expired', withdrawn: 'rejected' };

function finalResult(
  event: WaitingEvent,
  ending: Exclude<Ending, 'waits'>,
  reason: string | null,
): CallToolResult {
  const { status, chainHash, chainIndex } = event.evidence;
  const why = reason ?? (ending === 'expired' || ending === 'withdrawn' ? ending : null);
  return toolResult(
    {
      decisionId: event.decisionId,
      eventId: event.id,
      outcome: outcomes[ending],
      status: event.status,
      ...(why !== null && { reason: why }),
      argumentsDigest: prefixed(event.argumentsDigest),
      ...(event.expiresAt && { expiresAt: event.expiresAt }),
      approvals: event.approvals.map(showApproval),
      dpu: { id: event.dpuId, status, chainHash: prefixed(chainHash), chainIndex },
    },
    advice[ending],
  );
}
