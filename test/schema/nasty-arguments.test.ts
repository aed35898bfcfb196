import { setTimeout as sleep } from 'node:timers/promises';
import {
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import { accessRuleOf } from '../../src/schema/internals/pothos.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { type ForeignTenant, makeForeignTenant } from '../helpers/foreign.ts';
import { inParallel, nastyJson } from '../helpers/nasty.ts';
import { makeActor, makeToken } from '../helpers/world.ts';
import { type Field, fieldsOf, isConnection, itemType } from './everything.ts';
import { childrenOf, type Input, isList, sampleFor } from './sample-arguments.ts';

/**
 * Puts malformed values into every argument of every field and every place of every input. New ones are found in the schema;
 * other required values come from sample-arguments.ts.
 */

let house: TestApp;
let tenant: ForeignTenant;
let tokens: Record<string, string | undefined>;
beforeAll(async () => {
  // Too many calls to log each of them.
  house = await startTestApp({ env: { LOG_LEVEL: 'error' } });
  tenant = await makeForeignTenant(house.app);
  const root = await makeActor(house.app, { platformAdmin: true });
  tokens = {
    key: tenant.key,
    partner: tenant.partnerToken,
    root: await makeToken(house.app, root.id, null),
    admin: tenant.token,
    nobody: undefined,
  };
}, 60_000);
afterAll(() => house.close());

type Kind = 'query' | 'mutation' | 'subscription';

/** Not callable here: it ends the caller's own session or the shared center. */
const endsTheTest = new Set(['endCenter', 'suspendCenter', 'logout', 'revokeOtherSessions']);

interface Place {
  /** From the argument down to the leaf. */
  path: string[];
  input: Input;
}

/** The argument itself and every place in it. */
function placesIn(input: Input, path: string[] = []): Place[] {
  const here = [...path, input.name];
  return [{ path: here, input }, ...childrenOf(input.type).flatMap((child) => placesIn(child, here))];
}

const MARK = '"the nasty value goes here"';

/** Values that the database cannot store or a double cannot represent. */
const WORST = /^"(?:\\u0000|\\ud800)"$|^1E400$/;
const WORST_INSIDE = /\\u0000|\\ud800|1E400/;

/** Values of the right type for a place; GraphQL itself rejects most others. */
function nastyFor({ name, type }: Input): string[] {
  const named = getNamedType(type);
  if (isInputObjectType(named) || isEnumType(named)) return ['null', '{}', '[]', '"\\u0000"', '[null]'];
  const values: Record<string, string[]> = {
    Boolean: ['null', '"\\u0000"', '1E400'],
    Date: nastyJson('moment'),
    DateTime: nastyJson('moment'),
    Float: nastyJson('number'),
    Int: nastyJson('number'),
    JSON: nastyJson('structure'),
    ID: nastyJson('text'),
    String: nastyJson('text'),
  };
  const all = values[named.name]!.filter((json) => named.name === 'JSON' || json.length < 100_000);
  // A sample at each place: every value reaches places of every type, and the worst reach every place.
  const worst = named.name === 'JSON' ? WORST_INSIDE : WORST;
  const nasty = all.filter((json, i) => (i + name.length) % 16 === 0 || worst.test(json));
  return isList(type) ? [...nasty.map((json) => `[${json}]`), '[]', '[null]'] : nasty;
}

interface Target {
  kind: Kind;
  root: Field;
  /** The field under test: the root field, or one of its result's fields. */
  field: Field;
}

const rootTypes: Record<Kind, GraphQLObjectType> = {
  query: schema.getQueryType()!,
  mutation: schema.getMutationType()!,
  subscription: schema.getSubscriptionType()!,
};
const rootsOf = (kind: Kind): Field[] => Object.values(rootTypes[kind].getFields());

const targets: Target[] = (['query', 'mutation', 'subscription'] as const).flatMap((kind) =>
  rootsOf(kind)
    .filter(({ name }) => !endsTheTest.has(name))
    .flatMap((root) => {
      const below = kind === 'query' && !isConnection(root.type) ? itemType(root.type) : null;
      const nested = below ? fieldsOf(below).filter(({ args }) => args.length > 0) : [];
      return [root, ...nested].map((field) => ({ kind, root, field }));
    }),
);

/** A selection of the field's result, so that it is resolved. */
function leavesOf(field: Field): string {
  const item = itemType(field.type);
  if (!item) return isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
  const leaves = Object.values(item.getFields())
    .filter(({ type, args }) => !isObjectType(getNamedType(type)) && args.length === 0)
    .map(({ name }) => name)
    .join(' ');
  return isConnection(field.type)
    ? `{ edges { node { ${leaves || '__typename'} } } }`
    : `{ ${leaves || '__typename'} }`;
}

/** The request with a value at a place of the arguments, as JSON text. */
function requestAt({ kind, root, field }: Target, { path }: Place, json: string): string {
  const wanted = (of: Field) =>
    of.args.filter((arg) => isRequiredArgument(arg) || (of === field && arg.name === path[0]));
  const rootArgs = wanted(root);
  const fieldArgs = root === field ? [] : wanted(field);
  const all = [
    ...rootArgs.map((arg) => ({ arg, of: root, name: `r_${arg.name}` })),
    ...fieldArgs.map((arg) => ({ arg, of: field, name: `f_${arg.name}` })),
  ];
  const variables: Record<string, unknown> = {};
  for (const { arg, of, name } of all) variables[name] = sampleFor(tenant, of, arg, path.slice(1));
  const first = `${root === field ? 'r' : 'f'}_${path[0]}`;
  let at = variables;
  let key: string = first;
  for (const next of path.slice(1)) {
    let inner = at[key];
    if (Array.isArray(inner)) inner = inner[0];
    at = inner as Record<string, unknown>;
    key = next;
  }
  at[key] = JSON.parse(MARK);
  const pass = (of: Field) => {
    const passed = all.filter((each) => each.of === of).map(({ arg, name }) => `${arg.name}: $${name}`);
    return passed.length > 0 ? `(${passed.join(', ')})` : '';
  };
  const head = all.length > 0 ? `(${all.map(({ arg, name }) => `$${name}: ${arg.type}`).join(', ')})` : '';
  const body =
    root === field
      ? `${root.name}${pass(root)} ${leavesOf(root)}`
      : `${root.name}${pass(root)} { ${field.name}${pass(field)} ${leavesOf(field)} }`;
  return JSON.stringify({ query: `${kind} ${head} { ${body} }`, variables }).replace(MARK, () => json);
}

/** A caller who may call the field. */
function tokenFor(root: Field): string | undefined {
  const rule = accessRuleOf(root) ?? { signedIn: true };
  if (rule.public) return tokens['nobody'];
  if (rule.roles || rule.signedIn) return tokens['admin'];
  if (rule.apiKey) return tokens['key'];
  return rule.partner ? tokens['partner'] : tokens['root'];
}

async function post(body: string, token: string | undefined) {
  const response = await house.fetch('/graphql', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body,
  });
  return { status: response.status, text: await textOf(response) };
}

/** A stream that rejects its arguments reports that and ends; one that accepts them stays open and silent. */
const SILENT_MS = 500;

async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.includes('event-stream')) return response.text();
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const silence = sleep(SILENT_MS, { done: true, value: '' });
  let said = '';
  for (let step = await reader.read(); !step.done; step = await Promise.race([reader.read(), silence]))
    said += step.value;
  await reader.cancel();
  return said;
}

/** Fields that cannot succeed here, because they need a person with a device or a mail. */
const takesMore = new Set(['finishPasskeyRegistration', 'signInWithPasskey']);

test('the samples are valid for GraphQL', async () => {
  const wrong: string[] = [];
  for (const target of targets.filter(({ root, field }) => root === field && !takesMore.has(root.name))) {
    const place = {
      path: [target.root.args.find(isRequiredArgument)?.name ?? ''],
      input: target.root.args[0]!,
    };
    if (place.path[0] === '') continue;
    const right = JSON.stringify(
      sampleFor(tenant, target.root, target.root.args.find(isRequiredArgument)!, []),
    );
    // A key, or a caller without permission: what matters is that the input is not what is rejected.
    const { text } = await post(requestAt(target, place, right), undefined);
    if (/VALIDATION_ERROR/.test(text)) wrong.push(`${target.root.name}: ${text.slice(0, 200)}`);
  }
  expect(wrong).toEqual([]);
});

test.each(
  targets
    .filter(({ field }) => field.args.length > 0)
    .map(
      (target) =>
        [
          target.root === target.field ? target.root.name : `${target.root.name}.${target.field.name}`,
          target,
        ] as const,
    ),
)(
  '%s accepts or rejects any argument without a server error',
  async (_, target) => {
    const attempts = target.field.args
      .flatMap((arg) => placesIn(arg))
      .flatMap((place) => nastyFor(place.input).map((json) => ({ place, json })));
    await inParallel(attempts, async ({ place, json }) => {
      const { status, text } = await post(requestAt(target, place, json), tokenFor(target.root));
      const about = `${place.path.join('.')} = ${json.slice(0, 80)}: ${text.slice(0, 300)}`;
      expect(status, about).toBeLessThan(500);
      expect(text, about).not.toMatch(/INTERNAL_ERROR|DATABASE_ERROR|SERVICE_UNAVAILABLE/);
    });
  },
  120_000,
);
