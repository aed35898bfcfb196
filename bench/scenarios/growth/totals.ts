import { request } from 'undici';
import type { Stage } from '../../harness/stage.ts';

const filters = [
  {},
  { type: 'escalation' },
  { status: 'rejected' },
  { type: 'escalation', status: 'sealed' },
  { tag: 'tag-7' },
];

/** A fast but wrong total is worthless: every list's total is compared with a count of the rows. */
export async function checkTotals({ admin, centerId, key, token }: Stage, port: number): Promise<void> {
  const ask = async (path: string, credential: string) => {
    const headers = { authorization: `Bearer ${credential}` };
    const { body } = await request(`http://127.0.0.1:${port}${path}`, { headers });
    return (await body.json()) as { pagination: { total: number }; data: { center: { total: number } } };
  };
  for (const filter of filters) {
    const query = new URLSearchParams(filter as Record<string, string>);
    const { pagination } = await ask(`/api/v1/decision-events?${query}`, key);
    const where = Object.entries(filter).map(([name, value]) =>
      name === 'tag' ? ` AND '${value}' = ANY (tags)` : ` AND ${name} = '${value}'`,
    );
    const { rows } = await admin.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM decision_event WHERE center_id = $1${where.join('')}`,
      [centerId],
    );
    same(`list ?${query}`, pagination.total, rows[0]!.count);
  }
  const { data } = await ask('/api/dpu/stats', token);
  const { rows } = await admin.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM dpu WHERE center_id = $1',
    [centerId],
  );
  same('DPU statistics', data.center.total, rows[0]!.count);
}

function same(what: string, told: number, counted: number): void {
  if (told !== counted) throw new Error(`${what}: the total says ${told}, there are ${counted}`);
}
