import { readFileSync } from 'node:fs';
import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { RequestContext } from '../api/request-context.ts';
import { DomainError } from '../lib/errors.ts';
import { nameOf } from '../rest/errors.ts';
import type { Engine } from '../schema/engine.ts';
import { publicQueryError } from '../schema/errors.ts';
import { toolError } from './results.ts';
import { makeTasks, TASKS_EXTENSION } from './tasks.ts';
import { INSTRUCTIONS } from './tool-descriptions.ts';
import { makeTools, type ServedTool, supportsTasks } from './tools.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

type Era = 'legacy' | 'modern';

/** Creates a small server for each request, all with the same tools. */
export function makeServers(engine: Engine) {
  const tasks = makeTasks(engine);
  const tools = makeTools(engine, tasks) as ReadonlyMap<string, ServedTool>;
  const listed = [...tools.values()].map(({ definition }) => definition);

  return (ctx: RequestContext, era: Era): Server => {
    const server = new Server(
      { name: 'countersign', title: 'Countersign', version },
      {
        instructions: INSTRUCTIONS,
        capabilities: {
          tools: {},
          ...(era === 'modern' && { extensions: { [TASKS_EXTENSION]: {} } }),
        },
      },
    );
    server.setRequestHandler('tools/list', () => ({ tools: listed }));
    server.setRequestHandler('tools/call', async ({ params }, call) => {
      const tool = tools.get(params.name);
      if (!tool) {
        const known = [...tools.keys()].join(', ');
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool. Available tools: ${known}.`);
      }
      try {
        return await tool.call(ctx, params.arguments ?? {}, supportsTasks(call.mcpReq.envelope));
      } catch (error) {
        return toolError(publicQueryError(error, logOf(ctx)), ctx.requestId);
      }
    });
    serveTasks(server, ctx, tasks);
    return server;
  };
}

const logOf = ({ app, requestId }: RequestContext) => app.log.child({ requestId });

const taskParams = z.looseObject({ taskId: z.string().min(1).max(256) });

function serveTasks(server: Server, ctx: RequestContext, tasks: ReturnType<typeof makeTasks>): void {
  const serve = (method: string, answer: (taskId: string) => Promise<Record<string, unknown>>) =>
    server.setRequestHandler(method, { params: taskParams }, async ({ taskId }, call): Promise<Result> => {
      requireTasks(call);
      try {
        return await answer(taskId);
      } catch (error) {
        throw protocolError(error, ctx);
      }
    });

  serve('tasks/get', async (taskId) => (await tasks.get(ctx, taskId)).task);
  // This server never asks the client for input, so unsolicited answers are ignored.
  serve('tasks/update', async (taskId) => {
    tasks.checkMayChange(ctx);
    await tasks.get(ctx, taskId);
    return {};
  });
  serve('tasks/cancel', async (taskId) => {
    await tasks.cancel(ctx, taskId).catch((error: unknown) => {
      // The decision was made first. That is not the caller's error: the task shows how it ended.
      if (!isConflict(error)) throw error;
    });
    return {};
  });
}

const isConflict = (error: unknown) => {
  const root = (error as { originalError?: unknown }).originalError ?? error;
  return root instanceof DomainError && root.code === 'CONFLICT';
};

function requireTasks(call: ServerContext): void {
  if (supportsTasks(call.mcpReq.envelope)) return;
  throw new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  });
}

/** Protocol methods cannot return a tool error. */
function protocolError(error: unknown, ctx: RequestContext): ProtocolError {
  const { code, message } = publicQueryError(error, logOf(ctx));
  const data = { code: nameOf(code, 'proof'), requestId: ctx.requestId };
  if (code === 'NOT_FOUND') {
    return new ProtocolError(ProtocolErrorCode.InvalidParams, 'Task not found.', data);
  }
  const isOurs = ['INTERNAL_ERROR', 'DATABASE_ERROR', 'SERVICE_UNAVAILABLE'].includes(code);
  return new ProtocolError(
    isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidRequest,
    message,
    data,
  );
}
