import { settle } from './settle.ts';
import type { Stage } from './stage.ts';

/** Adds this many members to the stage's center, each a different person: "Person 00042", person00042@bench.test. */
export async function fillPeople(stage: Stage, count: number): Promise<void> {
  await stage.admin.query(
    `WITH people AS (
       INSERT INTO actor (id, name, email)
       SELECT gen_random_uuid(), 'Person ' || lpad(n::text, 5, '0'), 'person' || lpad(n::text, 5, '0') || '@bench.test'
       FROM generate_series(0, $2::int - 1) n
       RETURNING id, name
     )
     INSERT INTO membership (id, center_id, actor_id, role, status, accepted_at, activated_at)
     SELECT 'mbr_bench' || lpad(right(name, 5), 12, '0'), $1, id, 'PARENT', 'ACTIVE', now(), now() FROM people`,
    [stage.centerId, count],
  );
  await settle(stage, ['actor', 'membership']);
}
