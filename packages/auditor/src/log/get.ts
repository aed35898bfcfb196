import { fetchUrl } from '../fetch-url.ts';

const TIMEOUT_MS = 20_000;
/** A full bundle of the largest entries; all other responses are much smaller. */
const MAX_BYTES = 256 * (2 + 0xffff);

/** The service answered "not found". */
export class Missing extends Error {}

export async function getBytes(url: string): Promise<Uint8Array> {
  const response = await fetchUrl(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
  if (response.status === 404) throw new Missing(`${url} was not found`);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > MAX_BYTES) throw new Error(`${url} answered with more than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

export async function getText(url: string): Promise<string> {
  return Buffer.from(await getBytes(url)).toString('utf8');
}

export async function getJson<T>(url: string): Promise<T> {
  const text = await getText(url);
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new Error(`${url} did not answer with JSON`, { cause: error });
  }
}
