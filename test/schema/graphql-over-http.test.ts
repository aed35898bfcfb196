import { auditServer } from 'graphql-http';
import { expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';

const GRAPHQL_RESPONSE = 'application/graphql-response+json';

/** The official test suite for GraphQL over HTTP. */
test.each(['anonymous', 'signed-in'])('the %s caller passes the graphql-http audit', async (who) => {
  const { app, url } = await testApp();
  const { token } = await makeStage(app);
  const fetchFn = (address: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (who === 'signed-in') headers.set('authorization', `Bearer ${token}`);
    return fetch(address, { ...init, headers });
  };
  const results = await auditServer({ url: `${url}/graphql`, fetchFn });
  const faults = results.flatMap((result) =>
    result.status === 'ok' ? [] : [`${result.status} ${result.id} ${result.name}: ${result.reason}`],
  );
  expect(faults).toEqual([]);
});

test.each([
  ['a document that does not parse', { query: '{' }, 400],
  ['a document that does not validate', { query: '{ nothing }' }, 400],
  ['invalid variables', { query: 'query ($id: ID!) { decisionEvent(id: $id) { id } }' }, 400],
  ['no document', {}, 400],
  ['malformed JSON', '{ "query": ', 400],
])('%s returns 400 for callers that accept application/graphql-response+json', async (_, body, status) => {
  const { app, fetch } = await testApp();
  const { key } = await makeStage(app);
  const post = (accept: string) =>
    fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, authorization: `Bearer ${key}` },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const answer = await post(GRAPHQL_RESPONSE);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    status,
    expect.stringContaining(GRAPHQL_RESPONSE),
  ]);
  const { errors, data } = await answer.json();
  expect([errors[0].message, data]).toEqual([expect.any(String), undefined]);
  // Earlier responses to other callers make no difference.
  await post('application/json');
  expect((await post(GRAPHQL_RESPONSE)).status).toBe(status);
});

test('malformed JSON returns 400 whatever the caller accepts', async () => {
  const { fetch } = await testApp();
  for (const accept of ['application/json', '*/*', GRAPHQL_RESPONSE]) {
    const headers = { 'content-type': 'application/json', accept };
    for (const body of ['{ "not a JSON', '']) {
      const answer = await fetch('/graphql', { method: 'POST', headers, body });
      expect([accept, body, answer.status]).toEqual([accept, body, 400]);
      expect((await answer.json()).errors[0].message).toEqual(expect.any(String));
    }
  }
});

test('responses are not cached', async () => {
  const { app, fetch } = await testApp();
  const { token } = await makeStage(app);
  for (const accept of ['application/json', GRAPHQL_RESPONSE]) {
    const answer = await fetch('/graphql?query={me{name}}', {
      headers: { accept, authorization: `Bearer ${token}` },
    });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  }
});

test('in production an anonymous caller gets no field suggestions', async () => {
  const { app, graphql } = await testApp({ env: { NODE_ENV: 'production' } });
  const { token } = await makeStage(app);
  const mistyped = '{ centerPlan { id } decisionEvens { edges { cursor } } }';
  const suggestions = ({ errors }: Awaited<ReturnType<typeof graphql>>) =>
    errors!.filter(({ message }) => message.includes('Did you mean'));
  expect(suggestions(await graphql(mistyped))).toEqual([]);
  expect(suggestions(await graphql(mistyped, {}, token)).length).toBeGreaterThan(0);
  // Not from the cache of another caller's response either.
  expect(suggestions(await graphql(mistyped))).toEqual([]);
  expect(suggestions(await graphql(mistyped, {}, token)).length).toBeGreaterThan(0);
  const enumeration = 'query { plans(kind: CENTR) { id } }';
  expect(suggestions(await graphql(enumeration))).toEqual([]);
});
