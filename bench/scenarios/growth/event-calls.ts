import { type GrowingCall, MOST_GROWTH } from '../../harness/grow.ts';
import type { Stage } from '../../harness/stage.ts';

const LIST = '/api/v1/decision-events';
const PAGE = 20;
/**
 * An offset that is skipped row by row at every size: beyond the middle of the smallest list it would be counted from the end.
 */
const SKIPPED = 5_000;
const MOST_GROWTH_OF_LAST = 3;

const AFTER = `query ($after: String) {
  decisionEvents(first: ${PAGE}, after: $after) { totalCount edges { cursor node { id type status } } } }`;

const any = (size: number) => Math.floor(Math.random() * size);
/** The event with about that number: those whose number ends in 0 are sealed and have a record on the chain. */
const eventId = (n: number) => `evt_bench${String(n - (n % 10)).padStart(12, '0')}`;

/** Calls to a center as its decision events grow. */
export async function eventCalls(stage: Stage): Promise<GrowingCall[]> {
  const { rows } = await stage.admin.query<{ id: number }>(`SELECT ledger_chain_for($1, 'platform') AS id`, [
    stage.centerId,
  ]);
  const dpuId = (n: number) => `dpu_bench${rows[0]!.id}_${String(n).padStart(10, '0')}`;
  const byKey = { authorization: `Bearer ${stage.key}` };
  const byToken = { authorization: `Bearer ${stage.token}` };
  const get = (
    title: string,
    path: (size: number) => string,
    headers = byKey,
    target: number | null = MOST_GROWTH,
  ): GrowingCall => ({ title, target, call: (size) => ({ method: 'GET', path: path(size), headers }) });
  const mayGrow = (title: string, path: (size: number) => string) => get(title, path, byKey, null);
  return [
    get('one event', (size) => `${LIST}/${eventId(any(size))}`),
    get('one DPU', (size) => `/api/dpu/${dpuId(any(size))}`, byToken),
    get('list without filter', () => LIST),
    get('list by type', () => `${LIST}?type=escalation`),
    get('list by status', () => `${LIST}?status=rejected`),
    get('list by type and status', () => `${LIST}?type=escalation&status=sealed`),
    {
      title: 'page after a cursor in the middle, GraphQL',
      target: MOST_GROWTH,
      call: (size) => ({
        method: 'POST',
        path: '/graphql',
        headers: { ...byToken, 'content-type': 'application/json' },
        body: JSON.stringify({ query: AFTER, variables: { after: eventId(size / 2) } }),
      }),
    },
    get('DPU statistics', () => '/api/dpu/stats', byToken),
    get('list by tag', () => `${LIST}?tag=tag-7`),
    get(`list at offset ${SKIPPED.toLocaleString('en')}`, () => `${LIST}?offset=${SKIPPED}`),
    get('list at the deepest offset', (size) => `${LIST}?offset=${size - PAGE}`, byKey, MOST_GROWTH_OF_LAST),
    mayGrow('list in the middle', (size) => `${LIST}?offset=${size / 2}`),
    mayGrow('list by tag and status', () => `${LIST}?tag=tag-8&status=sealed`),
  ];
}
