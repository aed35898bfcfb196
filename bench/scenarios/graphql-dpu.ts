import { fillChain } from '../harness/fill.ts';
import { httpSide } from '../harness/http.ts';
import type { Scenario } from '../harness/scenario.ts';

const RECORDS = 100_000;
const CALLERS = 32;
const query = 'query ($id: ID!) { dpu(id: $id) { id content evidenceLevel chainHash center { id name } } }';

export const graphqlDpu: Scenario = {
  name: 'graphql-dpu',
  title: 'GraphQL over HTTP, one DPU with its center',
  limit: 'bare Koa + pg, one row by key',
  unit: 'requests/s',
  target: 0.25,
  async prepare(stage) {
    const ids = await fillChain(stage, 'platform', RECORDS);
    const api = await stage.api();
    const bare = await stage.limit('bare-koa');
    const any = () => ids[Math.floor(Math.random() * ids.length)]!;
    const headers = { authorization: `Bearer ${stage.token}`, 'content-type': 'application/json' };
    return {
      ours: httpSide(api.port, CALLERS, 200, () => ({
        method: 'POST',
        path: '/graphql',
        headers,
        body: JSON.stringify({ query, variables: { id: any() } }),
      })),
      limit: httpSide(bare.port, CALLERS, 200, () => ({ method: 'GET', path: `/dpu/${any()}` })),
    };
  },
};
