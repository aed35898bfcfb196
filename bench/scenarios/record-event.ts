import { type Call, HTTP_CALLERS, HTTP_PACE, httpSide } from '../harness/http.ts';
import type { Scenario } from '../harness/scenario.ts';

const body = JSON.stringify({
  type: 'agent_execution',
  actor: { id: 'triage-bot', type: 'ai_agent', name: 'Triage' },
  action: { type: 'appointment.move', input: { from: 'Mon', to: 'Tue' }, output: { moved: true } },
  aiContext: { model: 'example-1', provider: 'example', confidence: 0.93, reasoning: 'fits the plan' },
  tags: ['bench', 'appointments'],
});

const JSON_BODY = { 'content-type': 'application/json' };

/** A call that records a decision. */
export const recordingWith = (key: string): Call => ({
  method: 'POST',
  path: '/api/v1/decision-events',
  headers: { ...JSON_BODY, authorization: `Bearer ${key}` },
  body,
});

export const recordEvent: Scenario = {
  name: 'record-event',
  title: 'POST /api/v1/decision-events',
  limit: 'bare Koa + pg, one INSERT of the same bytes',
  unit: 'requests/s',
  target: 0.5,
  // Recording runs through the most code, and every request through one batch: it warms up slowly and measures unsteadily.
  pace: { ...HTTP_PACE, warmupSeconds: 18, rounds: 12 },
  async prepare(stage) {
    await stage.admin.query('CREATE TABLE bench_bytes (id bigserial PRIMARY KEY, body text NOT NULL)');
    const api = await stage.api();
    const bare = await stage.limit('bare-koa');
    const ours = recordingWith(stage.key);
    const bytes: Call = { method: 'POST', path: '/bytes', headers: JSON_BODY, body };
    return {
      ours: httpSide(api.port, HTTP_CALLERS, 201, () => ours),
      limit: httpSide(bare.port, HTTP_CALLERS, 201, () => bytes),
    };
  },
};
