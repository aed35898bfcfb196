import { type FieldFault, validationError } from '../../lib/errors.ts';

const MAX_LENGTHS = { center: 253, next: 2_048, hint: 254, ticket: 128 } as const;
const MAX_STATE = 128;
const MAX_ANSWER = 8_192;

const refuse = (path: string, message: string) => validationError([{ path, message } satisfies FieldFault]);

/** The only value of a parameter; null without one. */
function only(query: URLSearchParams, name: string, longest: number): string | null {
  const values = query.getAll(name);
  if (values.length > 1) throw refuse(name, 'must be given once');
  const value = values[0] || null;
  if (value !== null && value.length > longest) throw refuse(name, `must have at most ${longest} characters`);
  if (value !== null && /\p{Cc}/u.test(value)) throw refuse(name, 'must not contain control characters');
  return value;
}

export function startParameters(query: URLSearchParams, publicUrl: string) {
  const next = only(query, 'next', MAX_LENGTHS.next);
  if (next !== null && !isConsolePath(next, publicUrl)) throw refuse('next', 'must be a path of the console');
  return {
    center: only(query, 'center', MAX_LENGTHS.center)?.toLowerCase() ?? null,
    next,
    hint: only(query, 'hint', MAX_LENGTHS.hint),
    ticket: only(query, 'ticket', MAX_LENGTHS.ticket),
  };
}

const NOT_CONSOLE = /^\/(?:auth|api|graphql|mcp|scim)(?:[/?#]|$)/i;

/** A path that leads to a page of the console in the form in which browsers request it, and nowhere else. */
function isConsolePath(next: string, publicUrl: string): boolean {
  const url = URL.parse(next, publicUrl);
  return (
    url !== null &&
    next.startsWith('/') &&
    url.origin === new URL(publicUrl).origin &&
    `${url.pathname}${url.search}${url.hash}` === next &&
    !url.pathname.includes('//') &&
    !next.includes('\\') &&
    !NOT_CONSOLE.test(url.pathname)
  );
}

/** What a provider may send with the browser. Everything else in the address is left out. */
const ANSWERS = ['code', 'iss', 'error', 'response', 'id_token', 'token'];

export function callbackParameters(query: URLSearchParams): { state: string; search: string } {
  const state = only(query, 'state', MAX_STATE);
  const answer = new URLSearchParams();
  for (const name of ANSWERS) {
    const value = only(query, name, MAX_ANSWER);
    if (value !== null) answer.set(name, value);
  }
  if (state === null) throw refuse('state', 'must be given');
  if (!answer.has('code') && !answer.has('error')) throw refuse('code', 'must be given');
  answer.set('state', state);
  return { state, search: answer.toString() };
}
