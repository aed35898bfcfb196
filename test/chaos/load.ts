import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, makeClient } from '../helpers/client.ts';
import type { Fleet } from './fleet.ts';
import type { Random } from './random.ts';

/** A center that calls are made for. */
export interface Tenant {
  centerId: number;
  key: string;
  token: string;
  workflowId: string;
}

/** Requests by idempotency key, and what was acknowledged. */
export interface Ledger {
  /** The event's id once acknowledged; null before. */
  recorded: Map<string, { tenant: Tenant; eventId: string | null }>;
  /** Events whose approval was acknowledged. */
  sealed: Map<string, { tenant: Tenant }>;
  /** The execution's id, by the key of the call. */
  executed: Map<string, { tenant: Tenant; executionId: string | null }>;
  /** Events that were seen on streams. */
  streamed: Set<string>;
  /** Responses that no caller should get, whatever fails. */
  surprises: string[];
}

const UNSURE = new Set([409, 429, 502, 503]);
/** As long as an API may take to restart on a busy machine. */
const PATIENCE_MS = 120_000;

/**
 * Generates all kinds of calls of a center through any running API until stopped. Clients that record decisions pause after
 * each one; without a pause they use all processors.
 */
export function startLoad(fleet: Fleet, tenants: Tenant[], random: Random, pauseMs: number) {
  const ledger: Ledger = {
    recorded: new Map(),
    sealed: new Map(),
    executed: new Map(),
    streamed: new Set(),
    surprises: [],
  };
  let on = true;
  let calls = 0;
  const name = (what: string) => `${what}-${++calls}`;

  /** Repeats a call with its key, through either API, until it has a final answer. */
  async function insist(path: string, token: string, key: string, body: object): Promise<Answer | null> {
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until; ) {
      const url = fleet.api(Math.floor(random.next() * 2));
      if (url) {
        try {
          const headers = { 'idempotency-key': key };
          const answer = await makeClient(url).call('POST', path, { token, body, headers });
          if (!UNSURE.has(answer.status)) return answer;
          // A permanent conflict, unlike one with Retry-After, is an answer.
          if (answer.status === 409 && !answer.headers.has('retry-after')) return answer;
        } catch {
          // The result is unknown: repeating the key finds out.
        }
      }
      await sleep(50);
    }
    return null;
  }

  function check(path: string, answer: Answer | null, expected: number): answer is Answer {
    if (answer?.status === expected) return true;
    ledger.surprises.push(`${path}: ${answer ? `${answer.status} ${answer.text}` : 'no answer'}`);
    return false;
  }

  async function decide(): Promise<void> {
    const tenant = random.of(tenants);
    const key = name('decision');
    ledger.recorded.set(key, { tenant, eventId: null });
    const path = '/v1/decision-events';
    const body = {
      type: 'custom',
      actor: { id: 'chaos', type: 'system' },
      action: { type: 'note', input: { key } },
      tags: [key],
    };
    const answer = await insist(path, tenant.key, key, body);
    if (!check(path, answer, 201)) return;
    const eventId = answer.body.data.id as string;
    ledger.recorded.set(key, { tenant, eventId });
    if (random.next() < 0.3) return;
    const approval = { approver: { id: 'boss', type: 'human' }, result: 'approved' };
    const approved = await insist(`${path}/${eventId}/approvals`, tenant.key, name('approval'), approval);
    if (check(`${path}/approvals`, approved, 200)) ledger.sealed.set(eventId, { tenant });
  }

  async function execute(): Promise<void> {
    const tenant = random.of(tenants);
    const key = name('execution');
    ledger.executed.set(key, { tenant, executionId: null });
    const path = `/workflows/${tenant.workflowId}/execute`;
    const answer = await insist(path, tenant.token, key, { parameters: {} });
    if (!check('/workflows/execute', answer, 200)) return;
    ledger.executed.set(key, { tenant, executionId: answer.body.data.executionId });
    await sleep(200);
  }

  /** Listens until the stream breaks, then reconnects. */
  async function listen(): Promise<void> {
    const url = fleet.api(Math.floor(random.next() * 2));
    if (!url) return void (await sleep(100));
    const { token } = tenants[0]!;
    const stopping = AbortSignal.timeout(5_000);
    try {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        signal: stopping,
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          authorization: `Bearer ${token}`,
        },
        body: JSON.stringify({ query: 'subscription { decisionEvents { id } }' }),
      });
      for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
        for (const [id] of text.matchAll(/evt_[0-9a-z]+/g)) ledger.streamed.add(id);
        if (!on) break;
      }
    } catch {
      await sleep(50);
    }
  }

  const keepDoing = async (work: () => Promise<void>) => {
    while (on) await work();
  };
  const decideAndPause = async () => {
    await decide();
    await sleep(pauseMs);
  };
  const workers = [
    ...Array.from({ length: 4 }, () => keepDoing(decideAndPause)),
    keepDoing(execute),
    keepDoing(listen),
  ];
  return {
    ledger,
    /** Lets running calls finish. */
    async stop() {
      on = false;
      await Promise.all(workers);
    },
  };
}
