import { settle } from './settle.ts';
import type { Stage } from './stage.ts';

const SYLLABLES = ['ba', 'der', 'lin', 'mo', 'ras', 'tek', 'vu', 'win', 'xan', 'zor'];
const KINDS = ['clinic', 'school', 'pharmacy', 'studio', 'house'];

/** Ten thousand distinct names of two words; many share one of the words. */
export function centerName(n: number): string {
  const word = (number: number) =>
    [...String(number % 100).padStart(2, '0')].map((d) => SYLLABLES[Number(d)]);
  return `${[...word(n), 'ton'].join('')} ${[...word(Math.floor(n / 100)), 'berg'].join('')} ${KINDS[n % KINDS.length]}`;
}

/** Creates this many centers for the partner, each with one member. */
export async function fillCenters(
  stage: Stage,
  { partnerId, actorId }: { partnerId: string; actorId: string },
  count: number,
): Promise<void> {
  const numbers = Array.from({ length: count }, (_, n) => n);
  await stage.admin.query(
    `WITH made AS (
       INSERT INTO center (partner_id, name, center_domain, vertical, description)
       SELECT $1, name, replace(name, ' ', '-'), (enum_range(NULL::vertical))[1 + n % 7],
         'A place that decides for ' || split_part(name, ' ', 1) || ' and those around it'
       FROM unnest($2::int[], $3::text[]) AS named(n, name)
       RETURNING id
     )
     INSERT INTO membership (id, center_id, actor_id, role, status)
     SELECT 'mbr_bench' || lpad(id::text, 8, '0'), id, $4::uuid, 'ADMIN', 'ACTIVE' FROM made`,
    [partnerId, numbers, numbers.map(centerName), actorId],
  );
  await settle(stage, ['center', 'membership']);
}
