import { systemContext } from '../../src/domain/context.ts';
import { createWebhook } from '../../src/domain/webhooks/manage.ts';
import { startConsumer } from '../harness/consumer.ts';
import { approvalOf, recordingWith, recordWaiting } from '../harness/decisions.ts';
import { emit } from '../harness/emit.ts';
import { fillChain } from '../harness/fill.ts';
import { fillEvents } from '../harness/fill-events.ts';
import { type Call, HTTP_CALLERS, httpSide } from '../harness/http.ts';
import { peakDuring } from '../harness/memory.ts';
import type { MemoryResult } from '../harness/results.ts';
import type { Survey } from '../harness/scenario.ts';
import type { Stage } from '../harness/stage.ts';

const RECORDS = 1_000_000;
const BACKLOG = 100_000;
/** More than are approved in the meantime. */
const WAITING = 25_000;
const CALLERS = 4;
const MOST_MIB = 300;

/** A new API process each time. */
async function peakOfApi(
  stage: Stage,
  seconds: number,
  call: () => Call,
  { callers, status } = { callers: CALLERS, status: 200 },
): Promise<number> {
  const api = await stage.api();
  const side = httpSide(api.port, callers, status, call);
  const peak = await peakDuring(api.pid, () => side.run(seconds));
  await side.close();
  await api.end();
  return peak;
}

/** A worker with pending deliveries among its other work: it signs the grown chain at the next minute. */
async function peakOfWorker(stage: Stage): Promise<number> {
  const consumer = await startConsumer();
  const ctx = systemContext(stage.app, 'bench', stage.centerId);
  await createWebhook(ctx, { url: consumer.url, events: ['*'] });
  await emit(stage, BACKLOG);
  consumer.forget();
  const worker = await stage.worker();
  const peak = await peakDuring(worker.pid, () => consumer.arrived(BACKLOG));
  await worker.end();
  consumer.close();
  return peak;
}

export const memory: Survey = {
  name: 'memory',
  title: 'the most memory that a process takes',
  stage: 'million',
  async survey(stage, say) {
    const found: MemoryResult[] = [];
    const note = (process: string, work: string, peakMiB: number) => {
      found.push({ scenario: memory.name, process, work, peakMiB, targetMiB: MOST_MIB });
      say(`${process}, ${work}: ${peakMiB.toFixed(0)} MiB`);
    };
    say('filling');
    await Promise.all([fillChain(stage, 'platform', RECORDS), fillEvents(stage, RECORDS)]);
    const byToken = { authorization: `Bearer ${stage.token}` };
    const byKey = { authorization: `Bearer ${stage.key}` };
    const deep = () =>
      `/api/v1/decision-events?limit=100&offset=${Math.floor(Math.random() * (RECORDS - 100))}`;
    const count = (value: number) => value.toLocaleString('en');

    const verifying = () => ({ method: 'GET', path: '/api/dpu/verify-chain', headers: byToken }) as const;
    // One caller: comparing a million rows with their sealed versions takes over a minute.
    note(
      'API',
      `verifying ${count(RECORDS)} records`,
      await peakOfApi(stage, 6, verifying, { callers: 1, status: 200 }),
    );
    const listing = () => ({ method: 'GET', path: deep(), headers: byKey }) as const;
    note('API', `listing pages of 100 at any depth, ${CALLERS} callers`, await peakOfApi(stage, 5, listing));
    const recording = () => recordingWith(stage.key);
    note(
      'API',
      `recording decisions, ${HTTP_CALLERS} callers`,
      await peakOfApi(stage, 10, recording, { callers: HTTP_CALLERS, status: 201 }),
    );
    const waiting = await recordWaiting(stage, stage.centerId, WAITING);
    const approving = () => approvalOf(waiting.pop()!, stage.key);
    note(
      'API',
      `approving decisions, ${HTTP_CALLERS} callers`,
      await peakOfApi(stage, 10, approving, { callers: HTTP_CALLERS, status: 200 }),
    );
    note('worker', `working off ${count(BACKLOG)} deliveries`, await peakOfWorker(stage));
    return { memory: found };
  },
};
