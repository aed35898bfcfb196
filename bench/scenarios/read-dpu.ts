import { fillChain } from '../harness/fill.ts';
import { HTTP_CALLERS, HTTP_PACE, httpSide } from '../harness/http.ts';
import type { Scenario } from '../harness/scenario.ts';

const RECORDS = 100_000;

export const readDpu: Scenario = {
  name: 'read-dpu',
  title: 'GET /api/dpu/{id} with a token',
  limit: 'bare Koa + pg, one row by key',
  unit: 'requests/s',
  target: 0.5,
  pace: HTTP_PACE,
  async prepare(stage) {
    const ids = await fillChain(stage, 'platform', RECORDS);
    const api = await stage.api();
    const bare = await stage.limit('bare-koa');
    const any = () => ids[Math.floor(Math.random() * ids.length)]!;
    const headers = { authorization: `Bearer ${stage.token}` };
    return {
      ours: httpSide(api.port, HTTP_CALLERS, 200, () => ({
        method: 'GET',
        path: `/api/dpu/${any()}`,
        headers,
      })),
      limit: httpSide(bare.port, HTTP_CALLERS, 200, () => ({ method: 'GET', path: `/dpu/${any()}` })),
    };
  },
};
