import { decisionBody, recordingWith } from '../harness/decisions.ts';
import { type Call, HTTP_CALLERS, HTTP_PACE, httpSide } from '../harness/http.ts';
import type { Scenario } from '../harness/scenario.ts';

const JSON_BODY = { 'content-type': 'application/json' };

export const recordEvent: Scenario = {
  name: 'record-event',
  title: 'POST /api/v1/decision-events',
  limit: 'bare Koa + pg, one INSERT of the same bytes',
  unit: 'requests/s',
  target: 0.5,
  // Recording runs the most code, and every request passes through one batch, so it warms up slowly and varies more.
  pace: { ...HTTP_PACE, warmupSeconds: 18, rounds: 12 },
  async prepare(stage) {
    await stage.admin.query('CREATE TABLE bench_bytes (id bigserial PRIMARY KEY, body text NOT NULL)');
    const api = await stage.api();
    const bare = await stage.limit('bare-koa');
    const ours = recordingWith(stage.key);
    const bytes: Call = { method: 'POST', path: '/bytes', headers: JSON_BODY, body: decisionBody };
    return {
      ours: httpSide(api.port, HTTP_CALLERS, 201, () => ours),
      limit: httpSide(bare.port, HTTP_CALLERS, 201, () => bytes),
    };
  },
};
