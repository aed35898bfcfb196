import { fillEvents } from '../harness/fill-events.ts';
import { HTTP_CALLERS, HTTP_PACE, httpSide } from '../harness/http.ts';
import type { Scenario } from '../harness/scenario.ts';

const EVENTS = 100_000;

export const listEvents: Scenario = {
  name: 'list-events',
  title: 'GET /api/v1/decision-events?limit=20',
  limit: 'bare Koa + pg, 20 rows',
  unit: 'requests/s',
  target: 0.5,
  pace: HTTP_PACE,
  async prepare(stage) {
    await fillEvents(stage, EVENTS);
    const api = await stage.api();
    const bare = await stage.limit('bare-koa');
    const headers = { authorization: `Bearer ${stage.key}` };
    const path = '/api/v1/decision-events?limit=20';
    return {
      ours: httpSide(api.port, HTTP_CALLERS, 200, () => ({ method: 'GET', path, headers })),
      limit: httpSide(bare.port, HTTP_CALLERS, 200, () => ({
        method: 'GET',
        path: `/events/${stage.centerId}`,
      })),
    };
  },
};
