import { systemContext } from '../../src/domain/context.ts';
import { createPolicy } from '../../src/domain/policies/edit.ts';
import { makeMember } from '../../test/helpers/world.ts';
import { decision } from '../harness/decisions.ts';
import { type Call, connectTo, HTTP_CALLERS, HTTP_PACE } from '../harness/http.ts';
import { closedLoop, type Side } from '../harness/measure.ts';
import type { Scenario } from '../harness/scenario.ts';
import type { Stage } from '../harness/stage.ts';
import {
  bareServer,
  centers,
  ourServer,
  P99_TARGET_MS,
  type Place,
  SAME_ROWS,
  type Server,
} from './approve.ts';

const APPROVERS = ['ann', 'bob', 'cem'];

/** Ten thousand requests at the speed of the service. */
const WARMUP_SECONDS = 15;

/** More than can be processed in a second. */
const STOCK_A_SECOND = 1_000;

/** Each caller has its own center and takes its decisions through all three approvals. */
function quorumApproving(server: Server, places: Place[]): Side {
  const stocks = new Map<Place, string[]>(places.map((place) => [place, []]));
  const underWay = new Map<number, { id: string; approved: number }>();
  const fill = async (seconds: number) => {
    const each = Math.ceil((STOCK_A_SECOND * seconds) / places.length);
    for (const [place, ids] of stocks) {
      if (ids.length < each) ids.push(...(await server.stock(place, each - ids.length)));
    }
  };
  return {
    async run(seconds) {
      await fill(seconds);
      return closedLoop(HTTP_CALLERS, async (caller) => {
        const place = places[caller % places.length]!;
        const next = underWay.get(caller) ?? {
          id: stocks.get(place)!.pop() ?? (await server.stock(place, 1))[0]!,
          approved: 0,
        };
        const isLast = next.approved === APPROVERS.length - 1;
        const nth = next.approved + 1;
        await server.approveBy(place, next.id, APPROVERS[next.approved]!, isLast ? 'last' : nth);
        if (isLast) underWay.delete(caller);
        else underWay.set(caller, { ...next, approved: next.approved + 1 });
      }).run(seconds);
    },
  };
}

export const approveQuorum: Scenario = {
  name: 'approve-quorum',
  title: 'approvals with a quorum of three, 64 centers',
  limit: SAME_ROWS,
  unit: 'requests/s',
  target: 0.5,
  p99TargetMs: P99_TARGET_MS,
  pace: { ...HTTP_PACE, warmupSeconds: WARMUP_SECONDS },
  async prepare(stage) {
    const places = await centers(stage, HTTP_CALLERS);
    for (const { centerId } of places) {
      const ctx = systemContext(stage.app, 'bench', centerId);
      const guards = { quorum: [{ count: 3 }], enforced: [] };
      await createPolicy(ctx, {
        scope: 'CENTER',
        name: 'Three',
        actionPattern: decision.action.type,
        guards,
      });
    }
    const [ours, bare] = [await ourServer(stage), await bareServer(stage, places, APPROVERS.length)];
    return { ours: quorumApproving(ours, places), limit: quorumApproving(bare, places) };
  },
};

const DAY_MS = 86_400_000;

interface AgentCall {
  agent: string;
  riskScore: number;
}

function decideCall(key: string, { agent, riskScore }: AgentCall): Call {
  const { action, aiContext, tags } = decision;
  return {
    method: 'POST',
    path: '/api/v1/agents/decide',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ agent: { id: agent }, action, aiContext, tags, riskScore }),
  };
}

const APPROVE = 'mutation ($input: ApproveDecisionInput!) { approveDecision(input: $input) { sealedAt } }';

/** Grants a mandate in each center before the measurement, which covers only its uses. */
async function grantMandates({ app }: Stage, places: readonly Place[], send: Send): Promise<void> {
  for (const { centerId, key } of places) {
    const terms = {
      agent: { id: 'mandated' },
      actionPattern: 'appointment.*',
      maxUses: 1_000_000_000,
      validUntil: new Date(Date.now() + DAY_MS).toISOString(),
      reason: 'Appointments move every day.',
    };
    const post = (path: string, token: string, body: object): Call => ({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    const requested = JSON.parse((await send(post('/api/v1/mandates', key, terms), 201))());
    const { token } = await makeMember(app, centerId);
    const input = { eventId: requested.data.eventId, result: 'approved' };
    const approved = await send(post('/graphql', token, { query: APPROVE, variables: { input } }), 200);
    if (JSON.parse(approved()).errors) throw new Error(`not approved: ${approved()}`);
  }
}

type Send = ReturnType<typeof connectTo>['send'];

export const decideUnderMandate: Scenario = {
  name: 'decide-under-mandate',
  title: 'decisions of agents under a mandate, 64 centers',
  limit: 'the same service, decisions that need no approval',
  unit: 'requests/s',
  // At most 1.3 times the cost.
  target: 0.77,
  pace: { ...HTTP_PACE, warmupSeconds: WARMUP_SECONDS },
  async prepare(stage) {
    const places = await centers(stage, HTTP_CALLERS);
    const api = await stage.api();
    const { send } = connectTo(api.port, HTTP_CALLERS);
    await grantMandates(stage, places, send);
    const deciding = (call: AgentCall): Side => {
      const calls = places.map(({ key }) => decideCall(key, call));
      return closedLoop(HTTP_CALLERS, async (caller) => {
        const answer = JSON.parse((await send(calls[caller % calls.length]!, 201))());
        if (answer.data.outcome !== 'completed') throw new Error(`not completed: ${JSON.stringify(answer)}`);
      });
    };
    return {
      ours: deciding({ agent: 'mandated', riskScore: 0.95 }),
      limit: deciding({ agent: 'plain', riskScore: 0.1 }),
    };
  },
};
