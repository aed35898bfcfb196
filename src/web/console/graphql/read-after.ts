/**
 * Lists may come from a replica that lags behind. Each answer to a change tells the position that a read must not be older than;
 * all tabs of the browser share it and send it back, so that people see their own changes.
 */
const HEADER = 'X-Read-After';
const STORED = 'countersign-read-after';

export async function fetchOwnWrites(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
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

// Where a browser refuses storage, reads may be as old as the replica.

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
