import { fillChain } from '../harness/fill.ts';
import { HTTP_CALLERS, HTTP_PACE, httpSide } from '../harness/http.ts';
import type { Scenario } from '../harness/scenario.ts';

const RECORDS = 100_000;
const query = 'query ($id: ID!) { dpu(id: $id) { id content evidenceLevel chainHash center { id name } } }';

export const graphqlDpu: Scenario = {
  name: 'graphql-dpu',
  title: 'GraphQL over HTTP, one DPU with its center',
  limit: 'bare Koa + pg, one row by key',
  unit: 'requests/s',
  target: 0.25,
  pace: HTTP_PACE,
  async prepare(stage) {
    const ids = await fillChain(stage, 'platform', RECORDS);
    const api = await stage.api();
    const bare = await stage.limit('bare-koa');
    const any = () => ids[Math.floor(Math.random() * ids.length)]!;
    const headers = { authorization: `Bearer ${stage.token}`, 'content-type': 'application/json' };
    const call = () => ({
      method: 'POST' as const,
      path: '/graphql',
      headers,
      body: JSON.stringify({ query, variables: { id: any() } }),
    });
    // An invalid query is answered with status 200 too.
    const answer = await fetch(`http://127.0.0.1:${api.port}/graphql`, call());
    const { data } = (await answer.json()) as { data?: { dpu?: { center?: unknown } } };
    if (!data?.dpu?.center) throw new Error('the query does not find what it asks for');
    return {
      ours: httpSide(api.port, HTTP_CALLERS, 200, call),
      limit: httpSide(bare.port, HTTP_CALLERS, 200, () => ({ method: 'GET', path: `/dpu/${any()}` })),
    };
  },
};
