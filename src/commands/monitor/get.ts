import { reach } from '../reach.ts';

const TIMEOUT_MS = 20_000;

/** The service answers with a status that says it has no such thing. */
export class Missing extends Error {}

export async function get(url: string): Promise<Response> {
  const response = await reach(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
  if (response.status === 404) throw new Missing(`${url} is not there`);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response;
}

export const bytesOf = async (url: string) => new Uint8Array(await (await get(url)).arrayBuffer());
