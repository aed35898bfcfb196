import { expect } from 'vitest';
import { describeRoutes } from '../../src/rest/openapi/describe.ts';
import type { Route } from '../../src/rest/route.ts';
import { routes } from '../../src/rest/routes/index.ts';

type Responses = Record<string, { $ref?: string }>;

const description = describeRoutes(routes) as {
  paths: Record<string, Record<string, { responses: Responses }>>;
  components: {
    responses: Record<string, { content: { 'application/json': { examples: Record<string, unknown> } } }>;
  };
};

/** Fails unless openapi.json describes this answer of the operation: its status, and the code of an error. */
export function expectDescribed(row: Route, answer: { status: number; text: string }): void {
  const { responses } = description.paths[row.path]![row.method.toLowerCase()]!;
  const response = responses[answer.status];
  expect(
    response,
    `${row.operationId} answered ${answer.status}: ${answer.text.slice(0, 300)}`,
  ).toBeDefined();
  if (answer.status < 400) return;
  const { content } = description.components.responses[response!.$ref!.split('/').at(-1)!]!;
  const { code } = (JSON.parse(answer.text) as { error: { code: string } }).error;
  expect(Object.keys(content['application/json'].examples), `codes of ${row.operationId}`).toContain(code);
}
