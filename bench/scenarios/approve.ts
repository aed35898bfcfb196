import { systemContext } from '../../src/domain/context.ts';
import { createWebhook } from '../../src/domain/webhooks/manage.ts';
import { makeCenter, makeKey } from '../../test/helpers/world.ts';
import { type Consumer, startConsumer } from '../harness/consumer.ts';
import {
  approvalBody,
  approvalBodyBy,
  approvalBy,
  approvalOf,
  decision,
  decisionBody,
  recordingWith,
  recordWaiting,
} from '../harness/decisions.ts';
import { type Call, connectTo, HTTP_CALLERS, HTTP_PACE } from '../harness/http.ts';
import { closedLoop, type Figures, type Side } from '../harness/measure.ts';
import type { Scenario } from '../harness/scenario.ts';
import type { Stage } from '../harness/stage.ts';
import { BARE_TABLES } from '../limits/bare-rows.ts';

/** A center as a caller knows it. */
export interface Place {
  centerId: number;
  key: string;
}

/** One of the two servers: how decisions are recorded and approved there. */
export interface Server {
  record(place: Place): Promise<string>;
  approve(place: Place, eventId: string): Promise<void>;
  /** Approves as one of several, counted from 1; the last approval seals. */
  approveBy(place: Place, eventId: string, approver: string, nth: number | 'last'): Promise<void>;
  /** Adds events that wait for approval, in the fastest way. */
  stock(place: Place, count: number): Promise<string[]>;
}

export async function centers(stage: Stage, count: number): Promise<Place[]> {
  const places: Place[] = [];
  for (let i = 0; i < count; i++) {
    const { id } = await makeCenter(stage.app);
    places.push({ centerId: id, key: await makeKey(stage.app, id) });
  }
  return places;
}

const idIn = (body: () => string): string => JSON.parse(body()).data.id;

export async function ourServer(stage: Stage): Promise<Server> {
  const api = await stage.api();
  const { send } = connectTo(api.port, HTTP_CALLERS);
  return {
    record: async ({ key }) => idIn(await send(recordingWith(key), 201)),
    approve: async ({ key }, id) => void (await send(approvalOf(id, key), 200)),
    approveBy: async ({ key }, id, approver) => void (await send(approvalBy(approver, id, key), 200)),
    stock: ({ centerId }, count) => recordWaiting(stage, centerId, count),
  };
}

export async function bareServer(stage: Stage, places: Place[], approvals = 1): Promise<Server> {
  await stage.admin.query(BARE_TABLES);
  const heads = places.length > 1 ? '1' : '0';
  const bare = await stage.limit('bare-approval', { APPROVALS: String(approvals), HEADS: heads });
  const { send } = connectTo(bare.port, HTTP_CALLERS);
  const post = (path: string, body: string): Call => ({ method: 'POST', path, body });
  const events = ({ centerId }: Place) => `/${centerId}/events`;
  return {
    record: async (place) => idIn(await send(post(events(place), decisionBody), 201)),
    approve: async (place, id) =>
      void (await send(post(`${events(place)}/${id}/approvals`, approvalBody), 200)),
    approveBy: async (place, id, approver, nth) => {
      const path = `${events(place)}/${id}/approvals${nth === 'last' ? '' : `/${nth}`}`;
      await send(post(path, approvalBodyBy(approver)), 200);
    },
    async stock({ centerId }, count) {
      const { rows } = await stage.admin.query<{ id: string }>(
        `INSERT INTO bare_event (id, center_id, evidence_id, dpu_id, content, large, decision_id, type, actor_id, actor_type,
           action_type, tags, salts, content_hash, journal_index)
         SELECT 'evt_' || gen_random_uuid(), $1, 'd', 'd', $3, $4, 'd', 'agent_execution', 'triage-bot', 'ai_agent', $5, $6,
           to_json(repeat('x', 400)), repeat('0', 64), 0
         FROM generate_series(1, $2) RETURNING id`,
        [
          centerId,
          count,
          JSON.stringify({ ...decision, action: { type: decision.action.type } }),
          JSON.stringify({ 'action.input': decision.action.input, 'action.output': decision.action.output }),
          decision.action.type,
          decision.tags,
        ],
      );
      return rows.map(({ id }) => id);
    },
  };
}

/** More than can be approved in a second. */
const STOCK_A_SECOND = 3_500;

/** A side with a preparation step. */
interface Prepared extends Side {
  fill(seconds: number): Promise<void>;
}

/** Callers that approve waiting decisions; each has its own center, or all share one. */
function approving(server: Server, places: Place[]): Prepared {
  const stocks = new Map<Place, string[]>(places.map((place) => [place, []]));
  const fill = async (seconds: number) => {
    const each = Math.ceil((STOCK_A_SECOND * seconds) / places.length);
    for (const [place, ids] of stocks) {
      if (ids.length < each) ids.push(...(await server.stock(place, each - ids.length)));
    }
  };
  return {
    fill,
    async run(seconds) {
      await fill(seconds);
      return closedLoop(HTTP_CALLERS, async (caller) => {
        const place = places[caller % places.length]!;
        const id = stocks.get(place)!.pop() ?? (await server.stock(place, 1))[0]!;
        await server.approve(place, id);
      }).run(seconds);
    },
  };
}

function recordingAndApproving(server: Server, places: Place[]): Side {
  return closedLoop(HTTP_CALLERS, async (caller) => {
    const place = places[caller % places.length]!;
    await server.approve(place, await server.record(place));
  });
}

/** A person or an agent waits for an approval, so very few may take longer. */
export const P99_TARGET_MS = 120;
export const SAME_ROWS = 'bare Koa + pg, one statement that writes the same rows';

function scenario(
  name: string,
  title: string,
  target: number,
  count: number,
  side: (server: Server, places: Place[]) => Side,
): Scenario {
  return {
    name,
    title,
    limit: SAME_ROWS,
    unit: 'requests/s',
    target,
    pace: HTTP_PACE,
    async prepare(stage) {
      const places = await centers(stage, count);
      const [ours, bare] = [await ourServer(stage), await bareServer(stage, places)];
      return { ours: side(ours, places), limit: side(bare, places) };
    },
  };
}

export const approveOneCenter: Scenario = {
  ...scenario('approve-one-center', 'approvals in one center', 0.6, 1, approving),
  limit: `${SAME_ROWS}, except the heads of the chains`,
  p99TargetMs: P99_TARGET_MS,
};
export const approveManyCenters: Scenario = {
  ...scenario('approve-many-centers', 'approvals in 64 centers', 0.5, HTTP_CALLERS, approving),
  p99TargetMs: P99_TARGET_MS,
};
export const recordAndApprove = {
  ...scenario(
    'record-and-approve',
    'recordings with their approvals, 64 centers',
    0.55,
    HTTP_CALLERS,
    recordingAndApproving,
  ),
  unit: 'pairs/s',
};

/** The same with a webhook in every center, until the last delivery has arrived. */
function delivered(side: Prepared, consumer: Consumer): Side {
  return {
    async run(seconds): Promise<Figures> {
      await side.fill(seconds);
      consumer.forget();
      const begun = performance.now();
      const figures = await side.run(seconds);
      await consumer.arrived(figures.done!);
      return { ...figures, rate: figures.done! / ((performance.now() - begun) / 1_000) };
    },
  };
}

export const approveAndDeliver: Scenario = {
  ...scenario(
    'approve-and-deliver',
    'approvals in 64 centers, each delivered to a webhook',
    0.35,
    HTTP_CALLERS,
    approving,
  ),
  async prepare(stage) {
    const places = await centers(stage, HTTP_CALLERS);
    const consumer = await startConsumer();
    for (const { centerId } of places) {
      const ctx = systemContext(stage.app, 'bench', centerId);
      await createWebhook(ctx, { url: consumer.url, events: ['dpu.sealed'] });
    }
    const [ours, bare] = [await ourServer(stage), await bareServer(stage, places)];
    await stage.worker();
    return { ours: delivered(approving(ours, places), consumer), limit: approving(bare, places) };
  },
};
