import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { descriptions } from '../../src/describe.ts';
import { routes } from '../../src/rest/routes/index.ts';
import { testApp } from '../helpers/app.ts';
import { repeatsNames } from '../helpers/descriptions.ts';

test.each(Object.entries(descriptions))('%s is up to date with the code (npm run generate)', (name, text) => {
  expect(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')).toBe(text);
});

test('openapi.json is valid OpenAPI 3.1 and lists every endpoint with its errors', async () => {
  const { fetch } = await testApp();
  const served = (await (await fetch('/api/openapi.json')).json()) as {
    openapi: string;
    info: { version: string };
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
  };
  expect(served).toEqual(JSON.parse(descriptions['openapi.json']!));
  expect(await new Validator().validate(structuredClone(served))).toEqual({ valid: true });
  expect([served.openapi, served.info.version]).toEqual(['3.1.0', '1.0.0']);
  for (const row of routes) {
    const operation = served.paths[row.path]?.[row.method.toLowerCase()];
    const statuses = Object.keys(operation!.responses);
    expect(statuses, row.operationId).toEqual(
      expect.arrayContaining([...(row.statuses ?? [row.status]), 429, 500].map(String)),
    );
  }
});

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
}

/** Every named description in a part of the document, with the names around it: of properties, parameters and components. */
function* described(node: unknown, names: string[]): Generator<[at: string, names: string[], text: string]> {
  if (typeof node !== 'object' || node === null) return;
  const { properties = {} } = node as Schema;
  for (const [name, property] of Object.entries(properties)) {
    const around = [...names.slice(-1), name];
    if (property.description) yield [[...names, name].join('.'), around, property.description];
    yield* described(property, [...names, name]);
  }
  const { name, description } = node as { name?: unknown; description?: unknown };
  if (typeof name === 'string' && typeof description === 'string') {
    yield [[...names, name].join('.'), [...names, name], description];
  }
  for (const [key, child] of Object.entries(node)) {
    if (key === 'properties' || key === 'examples' || key === 'example') continue;
    yield* described(child, names);
  }
}

test('no description in openapi.json only repeats the name of its property or parameter', () => {
  const { components, paths, webhooks, tags } = JSON.parse(descriptions['openapi.json']!) as {
    components: Record<string, Record<string, unknown>>;
    paths: Record<string, Record<string, { operationId: string }>>;
    webhooks: Record<string, unknown>;
    tags: unknown[];
  };
  const parts: [string, unknown][] = [
    ...Object.entries(components['schemas']!),
    ...Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((operation): [string, unknown] => [operation.operationId, operation]),
    ),
    ...Object.entries(webhooks),
  ];
  const all = [...parts.flatMap(([name, part]) => [...described(part, [name])]), ...described(tags, [])];
  expect(all.length).toBeGreaterThan(500);
  const repeating = all.filter(([, names, text]) => repeatsNames(text, names));
  expect(repeating.map(([at, , text]) => `${at}: ${text}`)).toEqual([]);
});
