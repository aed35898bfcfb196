import { isRequiredArgument } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { type ForeignTenant, makeForeignTenant, rowsOf } from '../helpers/foreign.ts';
import { inParallel } from '../helpers/nasty.ts';
import { makeActor, makePartner, makeStage, makeToken } from '../helpers/world.ts';
import { fittingKinds } from './fitting-kinds.ts';
import { documentFor, isNothing, type Place, places, rootFields, type Values, variablesFor } from './walk.ts';

/**
 * Calls every root field with every id of another tenant. New fields are found in the schema, new kinds of objects in
 * test/helpers/foreign.ts; only exceptions are listed here, with the reason.
 */

/** Public information of any center, by contract. */
const publicFields = new Set([
  'centerInfo',
  'searchCenters',
  'whiteLabelConfig',
  'plans',
  'subdomainAvailable',
]);
/** Places for the caller's own words, which name nothing stored here. */
const freeText = new Set([
  'createDemoDpu(input.referenceId)',
  // The people of a made-up decision: only compared with each other, never looked up.
  'simulatePolicy(input.actorId)',
  'simulatePolicy(input.approvals.approverId)',
  // Filters of the caller's own calendar, whose days are returned whatever the filter.
  'schedule(input.instructorId)',
  'schedule(input.forActorId)',
]);

let house: TestApp;
let foreign: ForeignTenant;
let outsiders: Record<string, string>;
/** The foreign tenant's rows after the last walk. */
let rows: string[] | undefined;
/** The token of a platform admin. */
let root: string;
beforeAll(async () => {
  // Too many calls to log each of them.
  house = await startTestApp({ env: { LOG_LEVEL: 'error' } });
  foreign = await makeForeignTenant(house.app);
  const { token, key } = await makeStage(house.app);
  const { token: partner } = await makePartner(house.app);
  const nobody = await makeToken(house.app, (await makeActor(house.app)).id, null);
  outsiders = { admin: token, key, partner, nobody };
  root = await makeToken(house.app, (await makeActor(house.app, { platformAdmin: true })).id, null);
});
afterAll(() => house.close());

/** Foreign values for a place: the ids that fit it, or those of all kinds. */
function valuesFor(place: Place, which: 'fitting' | 'all'): Values[] {
  const { ids, centerId, actorId, instructorId, domain } = foreign;
  const named = { id: String(centerId), number: centerId, domain };
  if (place.takes !== 'id') return [named];
  const fitting = which === 'fitting' ? fittingKinds(place.field.name, ...place.path) : undefined;
  const kinds = Object.keys(ids).filter((kind) => fitting?.has(kind) ?? true);
  const everywhere = [String(centerId), actorId, instructorId];
  return [...everywhere, ...kinds.map((kind) => ids[kind]!)].map((id) => ({ ...named, id }));
}

/** Objects named by two ids: the kinds that belong together. */
const together: Record<string, Record<string, string>> = {
  webhookDelivery: { webhookId: 'whk', eventId: 'msg' },
};

/** Without a date, slots are those of today, of which none may be left. */
const further: Record<string, object> = { availableSlots: { input: { date: '2031-01-06' } } };

const escalation = { quorum: [{ count: 1 }], escalateAfterSeconds: 604_800 };
/** Guards without which the place is not looked at, or without which there is nothing to warn about. */
const guardsBeside: Record<string, object> = {
  // More people than there are.
  'checkPolicy(input.id)': { quorum: [{ count: 10, authentication: 'SESSION' }] },
  'checkPolicy(input.guards.escalateToGroup)': escalation,
  'tryPolicy(input.guards.escalateToGroup)': escalation,
};

function withGuards(place: Place, variables: Record<string, unknown>): Record<string, unknown> {
  const beside = guardsBeside[nameOf(place)];
  if (!beside) return variables;
  const input = variables['input'] as { guards: object };
  return { ...variables, input: { ...input, guards: { ...input.guards, ...beside } } };
}

/** The value at the place; if a field takes two ids, the other one is correct. */
function variablesOf(place: Place, values: Values): Record<string, unknown> {
  const others = Object.entries(together[place.field.name] ?? {}).filter(([name]) => name !== place.path[0]);
  const right = Object.fromEntries(others.map(([name, kind]) => [name, foreign.ids[kind]]));
  return { ...withGuards(place, variablesFor(place, values)), ...right, ...further[place.field.name] };
}

/** Each is asked with many ids. */
const documents = new Map<string, string>();

async function call(place: Pick<Place, 'kind' | 'field'>, variables: Record<string, unknown>, token: string) {
  const names = Object.keys(variables);
  const known = `${place.kind} ${place.field.name} ${names}`;
  const document = documents.get(known) ?? documentFor(place.kind, place.field, names);
  documents.set(known, document);
  const answer = await house.graphql(document, variables, token);
  return { answer, text: JSON.stringify(answer), value: answer.data?.[place.field.name] };
}

const FAULTS = new Set(['INTERNAL_ERROR', 'DATABASE_ERROR']);

const isNeeded = ({ field, path }: Place) =>
  isRequiredArgument(field.args.find(({ name }) => name === path[0])!);

const walked = places(schema).filter(
  ({ kind, field }) => kind !== 'subscription' && !publicFields.has(field.name),
);
const nameOf = ({ field, path }: Place) => `${field.name}(${path.join('.')})`;

describe.each(walked.map((place) => [nameOf(place), place] as const))('%s', (name, place) => {
  test('returns no data of another tenant to outsiders and changes nothing there', async () => {
    const before = rows ?? (await rowsOf(house.app, foreign));
    // A field may confuse kinds: the outsider with the most access tries ids of every kind.
    const calls = Object.entries(outsiders).flatMap(([who, token]) =>
      valuesFor(place, who === 'admin' ? 'all' : 'fitting').map((values) => ({ who, token, values })),
    );
    const leaks: string[] = [];
    await inParallel(calls, async ({ who, token, values }) => {
      const { answer, text, value: got } = await call(place, variablesOf(place, values), token);
      const isSilent = freeText.has(name) || answer.errors !== undefined || isNothing(got);
      const isBroken = FAULTS.has(answer.errors?.[0]?.extensions.code ?? '');
      if (text.includes(foreign.mark) || isBroken || !isSilent)
        leaks.push(`${who} with ${values.id}: ${text}`);
    });
    expect(leaks).toEqual([]);
    rows = await rowsOf(house.app, foreign);
    expect(rows).toEqual(before);
  });
});

/** Nothing is requested here: the instructor works in one center only. */
const NOTHING_THERE = new Set(['requestedAvailability']);
const owned = walked.filter(
  (place) => place.kind === 'query' && isNeeded(place) && !NOTHING_THERE.has(place.field.name),
);

// Otherwise the test above could pass because nothing is ever found, or because no tried id fits. A filter may find nothing.
test.each(owned.map((place) => [nameOf(place), place] as const))(
  '%s returns data to its owner',
  async (_, place) => {
    const answers = [];
    for (const token of [foreign.token, foreign.key, foreign.partnerToken, root]) {
      for (const values of valuesFor(place, 'fitting')) {
        const { value: got, answer } = await call(place, variablesOf(place, values), token);
        if (!answer.errors && !isNothing(got)) return;
        answers.push(answer.errors?.[0]);
      }
    }
    expect.fail(JSON.stringify(answers.slice(0, 40)));
  },
);

const open = rootFields(schema).filter(
  ({ kind, field }) => kind === 'query' && !publicFields.has(field.name),
);

test.each(open.map(({ kind, field }) => [field.name, { kind, field }] as const))(
  'the list %s returns no data of another tenant to outsiders',
  async (_, { kind, field }) => {
    const place = { kind, field, path: [], takes: 'id' } as Place;
    for (const token of Object.values(outsiders)) {
      const { text } = await call(
        place,
        variablesFor(place, { id: 'none', number: 0, domain: 'none' }),
        token,
      );
      expect(text).not.toContain(foreign.mark);
    }
  },
);
