import { expect } from 'vitest';
import type { TestApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';
import { proofStage } from '../proof/stage.ts';
import { type RawAnswer, send } from './clients.ts';

export const input = { orderId: '1042', amount: 4900 };
/** A request that needs an approval, and one that does not. */
export const risky = (more: object = {}) => ({
  agent: { id: 'refund-agent' },
  action: { type: 'refund.grant', input },
  riskScore: 0.95,
  ...more,
});
export const harmless = {
  agent: { id: 'refund-agent' },
  action: { type: 'refund.quote', input },
  riskScore: 0.1,
};

/** An error of a tool: for the model, and for a program. */
export const failure = (code: string) => ({
  isError: true,
  content: [
    { text: expect.stringMatching(`^${code}: `) },
    { text: expect.stringContaining(`{"error":{"code":"${code}"`) },
  ],
});

/** A center with a key, and MCP requests with it. */
export async function mcpStage(running: TestApp) {
  const stage = await proofStage(running);
  const raw = (method: string, params: Record<string, unknown> = {}, key = stage.key): Promise<RawAnswer> =>
    send(running.url, key, method, params);
  const tool = async (name: string, args: object, key = stage.key): Promise<Parsed> =>
    (await raw('tools/call', { name, arguments: args }, key)).body.result;
  return {
    ...stage,
    raw,
    tool,
    /** Requests a decision that waits for an approval; returns the id of its task. */
    request: async (more: object = {}): Promise<string> =>
      (await tool('request_decision', risky(more))).taskId,
    task: async (taskId: string, key = stage.key) => (await raw('tasks/get', { taskId }, key)).body,
  };
}

export type McpStage = Awaited<ReturnType<typeof mcpStage>>;
