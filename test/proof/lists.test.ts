// Lists are fast because they read neither what they count nor most of what they skip. Here they are compared with a list that
// is filtered, counted and cut in memory.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldTallies } from '../../src/domain/tallies/tally.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';
import { bare } from './decisions.ts';
import { type ProofStage, proofStage } from './stage.ts';

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

const TAGS = ['often', 'at-times', '%_\\', 'überall ✓', 'never'];
const TYPES = ['custom', 'escalation'];
const STATUSES = ['recorded', 'sealed', 'rejected'];

const plan = fc.record({
  type: fc.constantFrom(...TYPES),
  // Few values, some of them duplicated.
  tags: fc.array(fc.constantFrom(...TAGS.slice(0, -1)), { maxLength: 3 }),
  fate: fc.constantFrom('waits', 'waits', 'waits', 'sealed', 'rejected', 'erased', 'untagged'),
});
const filter = fc.record(
  { type: fc.constantFrom(...TYPES), status: fc.constantFrom(...STATUSES), tag: fc.constantFrom(...TAGS) },
  { requiredKeys: [] },
);
const question = fc.record({ filter, limit: fc.integer({ min: 1, max: 12 }), offset: fc.nat({ max: 22 }) });

type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;
interface Listed {
  id: string;
  type: string;
  status: string;
  tags: string[];
}

const ERASE = `mutation ($input: EraseDecisionInput!) { eraseDecision(input: $input) { id } }`;
const SLICE = `query ($filter: DecisionEventFilter, $first: Int, $after: String, $last: Int, $before: String) {
  decisionEvents(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
    totalCount edges { cursor node { id } } } }`;

/** Applies the planned changes to an event, and returns what a list should show of it. */
async function live(stage: ProofStage, { type, tags, fate }: Plan): Promise<Listed> {
  const { id } = await stage.record({ ...bare, type, tags });
  if (fate === 'waits') return { id, type, tags, status: 'recorded' };
  const result = fate === 'rejected' ? 'rejected' : 'approved';
  expect((await stage.approve(id, { result })).status).toBe(200);
  const status = fate === 'rejected' ? 'rejected' : 'sealed';
  if (fate === 'sealed' || fate === 'rejected' || tags.length === 0) return { id, type, tags, status };
  const input = { eventId: id, reason: 'asked to', ...(fate === 'untagged' && { fields: ['tags'] }) };
  expect((await running.graphql(ERASE, { input }, stage.token)).errors).toBeUndefined();
  return { id, type, tags: [], status };
}

const matches =
  ({ type, status, tag }: Question['filter']) =>
  (event: Listed) =>
    (type ?? event.type) === event.type &&
    (status ?? event.status) === event.status &&
    (tag === undefined || event.tags.includes(tag));

async function list(stage: ProofStage, { filter: { type, status, tag }, limit, offset }: Question) {
  const query = new URLSearchParams({
    limit: `${limit}`,
    offset: `${offset}`,
    ...(type && { type }),
    ...(status && { status }),
    ...(tag && { tag }),
  });
  const { data, pagination } = (await stage.get(`/decision-events?${query}`)).body;
  return { data: data as Listed[], pagination };
}

/** A tag is counted and listed once per event that has it; unused tags leave nothing behind. */
async function expectNothingBeside({ center }: ProofStage): Promise<void> {
  const { rows } = await running.superuser.query(
    `WITH tagged AS (SELECT DISTINCT id, tag FROM decision_event, unnest(tags) tag WHERE center_id = $1)
     SELECT (SELECT count(*) FROM tagged) AS tags, (SELECT count(*) FROM tagged JOIN decision_event_tag t
              ON t.center_id = $1 AND t.tag = tagged.tag AND t.event_id = tagged.id) AS listed,
            (SELECT count(*) FROM decision_event_tag WHERE center_id = $1) AS rows,
            array(SELECT DISTINCT tag_tally($1, tag) FROM tagged ORDER BY 1) AS named,
            array(SELECT key FROM (SELECT key FROM tally UNION SELECT key FROM tally_delta) k
                  WHERE starts_with(key, 'tagged:' || $1 || ':') ORDER BY 1) AS counted`,
    [center.id],
  );
  const [{ tags, listed, rows: all, named, counted }] = rows as [Parsed];
  expect([listed, all, counted]).toEqual([tags, tags, named]);
}

test('pages and totals equal a list in memory, also while events change', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(plan, { minLength: 10, maxLength: 20 }),
      fc.array(question, { minLength: 12, maxLength: 12 }),
      async (plans, questions) => {
        const stage = await proofStage(running);
        const lives = Promise.all(plans.map((each) => live(stage, each)));
        // While everything changes, each response is consistent with itself.
        for (const each of questions.slice(0, 4)) {
          const { data, pagination } = await list(stage, each);
          expect(data).toHaveLength(Math.max(0, Math.min(each.limit, pagination.total - each.offset)));
          expect(data.every(matches(each.filter))).toBe(true);
        }
        const known = (await lives).sort((a, b) => (a.id < b.id ? 1 : -1));
        for (const [n, each] of questions.entries()) {
          if (n === questions.length / 2) await foldTallies(running.app.db.pool);
          const { limit, offset } = each;
          const expected = known.filter(matches(each.filter));
          const page = expected.slice(offset, offset + limit);
          const { data, pagination } = await list(stage, each);
          expect(data.map(({ id, type, status, tags }) => ({ id, type, status, tags }))).toEqual(page);
          const hasMore = offset + page.length < expected.length;
          expect(pagination).toEqual({ total: expected.length, limit, offset, hasMore });
        }
        await expectNothingBeside(stage);
      },
    ),
    { numRuns: 3 },
  );
});

test('cursors page through the list of a tag in both directions', async () => {
  const stage = await proofStage(running);
  const all: string[] = [];
  for (let n = 0; n < 7; n++) all.unshift((await stage.record({ tags: n % 3 ? ['a', 'b'] : ['b'] })).id);
  const expected = all.filter((_, n) => (6 - n) % 3 !== 0);
  for (const back of [false, true]) {
    const found: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const window = back ? { last: 2, before: cursor } : { first: 2, after: cursor };
      const { data } = await running.graphql(SLICE, { filter: { tag: 'a' }, ...window }, stage.token);
      const { totalCount, edges } = data.decisionEvents;
      expect(totalCount).toBe(expected.length);
      const ids = edges.map(({ node }: Parsed) => node.id);
      if (back) found.unshift(...ids);
      else found.push(...ids);
      if (ids.length < 2 || found.length > expected.length) break;
      cursor = edges.at(back ? 0 : -1).cursor;
    }
    expect(found).toEqual(expected);
  }
});
