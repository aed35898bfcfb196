import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { descriptions } from '../../src/describe.ts';
import { routes } from '../../src/rest/routes/index.ts';
import { testApp } from '../helpers/app.ts';

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
