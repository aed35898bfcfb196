import { isJson, sendChange, sendRead } from './connection.ts';
import { freshProof } from './fresh-proof.ts';
import { ensureTabCenter } from './tab-center.ts';

/** Called when the session has ended and cannot be renewed. */
export const sessionEnded = new EventTarget();

const EXPIRED = /"code":"(UNAUTHORIZED|TOKEN_EXPIRED)"/;
const UNPROVEN = /"code":"REAUTHENTICATION_REQUIRED"/;
const RENEW = 'mutation Renew { refreshSession { expiresIn } }';

/** Operations that have the same effect when they are repeated. */
const REPEATABLE = /^\{[^{]*"query":"(?:query\b|subscription\b|\{|mutation SwitchCenter\b)/;

const isRepeatable = (init: RequestInit | undefined) =>
  typeof init?.body === 'string' && REPEATABLE.test(init.body);

/** Sends requests in the session. Reads wait while the service is down; changes fail. */
export function sessionFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const send = () => sendInSession(input, init);
  return isRepeatable(init) ? sendRead(send) : sendChange(send);
}

/**
 * Sends requests with the session cookie, which scripts cannot read. An expired access token is renewed once with the refresh
 * cookie, and the request is repeated. The same happens after a fresh proof, if the service requires one.
 */
async function sendInSession(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  await ensureTabCenter(init);
  const answer = await fetchOwnWrites(input, init);
  if (!isJson(answer)) return answer;
  const text = await answer.text();
  const { status, statusText, headers } = answer;
  const read = new Response(text, { status, statusText, headers });
  if (UNPROVEN.test(text)) return (await freshProof()) ? fetchOwnWrites(input, init) : read;
  if (!EXPIRED.test(text)) return read;
  if (!(await renewSession())) {
    sessionEnded.dispatchEvent(new Event('ended'));
    return read;
  }
  return fetchOwnWrites(input, init);
}

let renewing: Promise<boolean> | undefined;

/** One at a time in all tabs: renewing consumes the refresh cookie, and reusing it ends the session. */
function renewSession(): Promise<boolean> {
  const renew = () => navigator.locks?.request('countersign-session', trade) ?? trade();
  renewing ??= renew().finally(() => {
    renewing = undefined;
  });
  return renewing;
}

async function trade(): Promise<boolean> {
  // Another tab may have renewed the session while this one waited for its turn.
  if (await ask('{ me { actorId } }')) return true;
  return ask(RENEW);
}

/** Whether the service answers without an error. Throws if it could not answer: the session may go on. */
async function ask(query: string): Promise<boolean> {
  const answer = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  if (answer.status === 429 || answer.status >= 500) throw new Error('The session could not be renewed.');
  const { errors } = (await answer.json()) as { errors?: unknown[] };
  return answer.ok && !errors;
}

/**
 * Lists may come from a replica that lags behind. The response to each change contains the position that a read must have reached;
 * all tabs share it and send it back, so that users see their own changes.
 */
const HEADER = 'X-Read-After';
const STORED = 'countersign-read-after';

async function fetchOwnWrites(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers);
  const position = stored();
  if (position !== null) headers.set(HEADER, position);
  const answer = await fetch(input, { ...init, headers });
  const told = answer.headers.get(HEADER);
  if (told !== null && sortable(told) > sortable(stored() ?? '0/0')) store(told);
  return answer;
}

/** Positions are two hexadecimal numbers without leading zeros. */
const sortable = (position: string) =>
  position
    .split('/')
    .map((part) => part.padStart(8, '0'))
    .join('/');

// If the browser refuses storage, reads can be as old as the replica.

function stored(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

function store(position: string): void {
  try {
    localStorage.setItem(STORED, position);
  } catch {}
}
