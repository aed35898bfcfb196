import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { TestApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';

/** Common steps of workflow tests, through the public surfaces. */

const CREATE = /* GraphQL */ `
  mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id version } }`;

export const text = (name: string, words = `this is ${name}`) => ({ name, kind: 'template', text: words });

export async function makeWorkflow(
  { graphql }: TestApp,
  token: string,
  steps: unknown[],
  more: Record<string, unknown> = {},
): Promise<string> {
  const input = { name: 'Test', type: 'MANUAL', steps, ...more };
  const { data, errors } = await graphql(CREATE, { input }, token);
  expect(errors).toBeUndefined();
  return data.createWorkflow.id;
}

export async function execute(
  { call }: TestApp,
  token: string,
  workflowId: string,
  parameters?: Record<string, unknown>,
): Promise<string> {
  const answer = await call('POST', `/workflows/${workflowId}/execute`, { token, body: { parameters } });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.executionId;
}

const SHOW = /* GraphQL */ `
  query ($id: ID!) {
    workflowExecution(id: $id) {
      id status version error position dpuId evidenceLevel completedAt parameters startedBy
      steps(first: 50) { edges { node {
        position name kind status attempts input output error resumeAt finishedAt durationMs
      } } }
    }
  }`;

export interface ShownStep {
  position: number;
  name: string;
  kind: string;
  status: string;
  attempts: number;
  input: Record<string, unknown> | null;
  output: Record<string, unknown> | null;
  error: string | null;
  resumeAt: string | null;
  finishedAt: string | null;
  durationMs: number | null;
}

export interface ShownExecution {
  id: string;
  status: string;
  version: number;
  error: string | null;
  position: number;
  dpuId: string;
  evidenceLevel: string | null;
  completedAt: string | null;
  parameters: Record<string, unknown>;
  startedBy: string;
  steps: ShownStep[];
}

export async function show({ graphql }: TestApp, token: string, id: string): Promise<ShownExecution> {
  const { data, errors } = await graphql(SHOW, { id }, token);
  expect(errors).toBeUndefined();
  const { steps, ...execution } = data.workflowExecution;
  return { ...execution, steps: steps.edges.map(({ node }: { node: ShownStep }) => node) };
}

/** Waits until the execution has this state, and returns it. */
export async function reaches(
  app: TestApp,
  token: string,
  id: string,
  status: string,
  milliseconds = 30_000,
) {
  await eventually(async () => (await show(app, token, id)).status === status, milliseconds);
  return show(app, token, id);
}

export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Outside {
  url: string;
  received: Received[];
}

/** An external system that records what it receives; `answer` may take its time. */
export async function outsideSystem(
  answer: (request: Received, count: number) => Promise<Answer> | Answer = () => ({}),
): Promise<Outside> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    const entry = { method, url, headers, body };
    received.push(entry);
    const { status = 200, json = { received: true } } = await answer(entry, received.length);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

export interface Answer {
  status?: number;
  json?: unknown;
}
