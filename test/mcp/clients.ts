import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  createTaskSessionFromClient,
  type SerializedTaskReference,
  type TaskEnabledSession,
} from '@modelcontextprotocol/ext-tasks/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Parsed } from '../helpers/client.ts';

export const REVISION = '2026-07-28';
const clientInfo = { name: 'test', version: '1.0.0' };
const withKey = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } });

/** The current official client, which does not support tasks by itself. */
export async function modernClient(url: string, key: string): Promise<Client> {
  const client = new Client(clientInfo, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), withKey(key)));
  return client;
}

/** The official client of the previous generation. */
export async function olderClient(url: string, key: string): Promise<OlderClient> {
  const client = new OlderClient(clientInfo);
  const transport = new OlderTransport(new URL(`${url}/mcp`), withKey(key));
  await client.connect(transport as Parameters<OlderClient['connect']>[0]);
  return client;
}

export interface RawAnswer {
  status: number;
  headers: Headers;
  body: Parsed;
}

const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** One message over HTTP, as the specification writes it. */
export async function send(
  url: string,
  key: string | null,
  method: string,
  params: Record<string, unknown> = {},
  { tasks = true, headers = {} }: { tasks?: boolean; headers?: Record<string, string> } = {},
): Promise<RawAnswer> {
  const name = params['name'] ?? params['taskId'];
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': tasks ? TASKS : {},
  };
  return post(
    url,
    key,
    { jsonrpc: '2.0', id: 1, method, params: { _meta, ...params } },
    {
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    },
  );
}

export async function post(
  url: string,
  key: string | null,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

export interface TaskClient {
  session: TaskEnabledSession;
  close(): Promise<void>;
}

export type { SerializedTaskReference };

/** The official client with the tasks extension; what its codecs do not support goes over HTTP directly. */
export async function taskClient(url: string, key: string): Promise<TaskClient> {
  const client = await modernClient(url, key);
  const session = createTaskSessionFromClient(client, {
    endpointId: 'countersign',
    v2RequestFraming: { protocolVersion: REVISION, clientInfo, clientCapabilities: {} },
    rawDispatch: async (request) => {
      const { method, params } = request as unknown as {
        method: string;
        params: { name?: string; taskId?: string };
      };
      const name = params.name ?? params.taskId;
      const message = { jsonrpc: '2.0', id: 1, ...(request as object) };
      const { body } = await post(url, key, message, {
        'mcp-protocol-version': REVISION,
        'mcp-method': method,
        ...(name && { 'mcp-name': name }),
      });
      return body.error ? { kind: 'error', error: body.error } : { kind: 'result', result: body.result };
    },
  });
  return {
    session,
    async close() {
      await session.close();
      await client.close();
    },
  };
}
