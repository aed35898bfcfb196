// A neighbor beside a center with a backlog: its escalations and its agents must not wait for those of the other.
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { systemContext } from '../../src/domain/context.ts';
import { recordDecision } from '../../src/domain/decisions/record/record.ts';
import { createPolicy } from '../../src/domain/policies/edit.ts';
import { newId } from '../../src/lib/ids.ts';
import { makeStage } from '../../test/helpers/world.ts';
import { decision, recordWaiting } from '../harness/decisions.ts';
import type { GrowthResult } from '../harness/results.ts';
import type { Survey } from '../harness/scenario.ts';
import type { Stage } from '../harness/stage.ts';

const BACKLOG = 50_000;
/** The shortest time after which a policy can escalate. */
const ESCALATES_AFTER_SECONDS = 60;
/** The contract's limit for an escalation. */
const LONGEST_LAG_MS = 30_000;
/** As a multiple of the time without a backlog. */
const MOST = 5;

const SECONDS = 15;
/** The neighbor sends at a steady rate, independent of response times. */
const DECIDE_EVERY_MS = 50;
const ESCALATE_EVERY_MS = 1_000;
const CHECK_EVERY_MS = 100;

/** A policy of the center escalates open seats of the decisions of the benchmark. */
async function addEscalation({ app }: Stage, centerId: number): Promise<void> {
  const group = async (name: string) => {
    const data = { id: newId('grp'), centerId, name };
    return (await app.db.acrossTenants.approvalGroup.create({ data })).id;
  };
  const guards = {
    quorum: [{ group: await group('Reviewers'), count: 1 }],
    escalateAfterSeconds: ESCALATES_AFTER_SECONDS,
    escalateToGroup: await group('Board'),
    enforced: [],
  };
  const policy = { scope: 'CENTER', name: 'Escalates', actionPattern: decision.action.type, guards } as const;
  await createPolicy(systemContext(app, 'bench', centerId), policy);
}

/** A moment at which a decision that is due now was recorded. */
const whenDue = () => new Date(Date.now() - ESCALATES_AFTER_SECONDS * 1_000);

/** The longest time from the deadline of a decision to its escalation. */
async function longestLag({ app, admin }: Stage, centerId: number): Promise<number> {
  const due = new Map<string, number>();
  const lags: number[] = [];
  const until = Date.now() + SECONDS * 1_000;
  for (let nextAt = Date.now(); Date.now() < until || due.size > 0; await sleep(CHECK_EVERY_MS)) {
    if (Date.now() >= nextAt && Date.now() < until) {
      nextAt += ESCALATE_EVERY_MS;
      const ctx = { ...systemContext(app, 'bench', centerId), now: whenDue() };
      due.set((await recordDecision(ctx, decision)).event.id, Date.now());
    }
    const { rows } = await admin.query<{ event_id: string }>(
      'SELECT event_id FROM escalation WHERE event_id = ANY ($1)',
      [[...due.keys()]],
    );
    for (const { event_id: id } of rows) {
      lags.push(Date.now() - due.get(id)!);
      due.delete(id);
    }
  }
  return Math.max(...lags);
}

/** The 99th percentile of `agents/decide`. */
async function decideP99(port: number, key: string): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 64 });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ agent: { id: 'agent' }, action: { type: 'note.write' }, riskScore: 0.1 });
  const took: Promise<number>[] = [];
  for (let i = 0; i < (SECONDS * 1_000) / DECIDE_EVERY_MS; i++) {
    const begun = performance.now();
    const call = pool.request({ method: 'POST', path: '/api/v1/agents/decide', headers, body });
    took.push(
      call.then(async (answer) => {
        if (answer.statusCode >= 300)
          throw new Error(`the neighbor got ${answer.statusCode}: ${await answer.body.text()}`);
        await answer.body.dump();
        return performance.now() - begun;
      }),
    );
    await sleep(DECIDE_EVERY_MS);
  }
  const sorted = (await Promise.all(took)).sort((a, b) => a - b);
  await pool.close();
  return sorted[Math.floor(sorted.length * 0.99)]!;
}

export const neighborBesideBacklog: Survey = {
  name: 'neighbor-beside-backlog',
  title: `escalations and agents of a neighbor while ${BACKLOG} decisions of a center are due`,
  async survey(stage, say) {
    const { app, admin, centerId } = stage;
    const neighbor = await makeStage(app);
    for (const id of [centerId, neighbor.center.id]) await addEscalation(stage, id);
    const [api] = await Promise.all([stage.api(), stage.worker()]);
    // As after the first minute of a worker.
    await admin.query(`SELECT graphile_worker.add_job('meet_deadlines')`);
    const measure = () =>
      Promise.all([longestLag(stage, neighbor.center.id), decideP99(api.port, neighbor.key)]);
    await measure();
    const idle = await measure();
    await recordWaiting(stage, centerId, BACKLOG, whenDue);
    const beside = await measure();
    const { rows } = await admin.query<{ left: number }>(
      'SELECT $1::int - count(*)::int AS left FROM escalation WHERE center_id = $2',
      [BACKLOG, centerId],
    );
    say(`${rows[0]!.left} of the backlog were left at the end`);
    const calls = ['escalation, after its time', 'agents/decide, p99'];
    const growth = calls.map((call, i): GrowthResult => {
      const [before, after] = [idle[i]!, beside[i]!];
      const ratio = after / before;
      say(`${call}: ${before.toFixed(0)} ms to ${after.toFixed(0)} ms, ${ratio.toFixed(1)} times`);
      return {
        scenario: neighborBesideBacklog.name,
        call: `a neighbor's ${call}`,
        of: 'due decisions next door',
        sizes: [0, BACKLOG],
        p50: [before, after],
        ratio,
        target: MOST,
      };
    });
    if (beside[0] > LONGEST_LAG_MS) throw new Error('the neighbor’s escalation came too late');
    return { growth };
  },
};
