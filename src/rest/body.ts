import type { IncomingMessage } from 'node:http';
import { charge } from '../api/rates.ts';
import type { RequestContext } from '../api/request-context.ts';
import { DomainError, validationError } from '../lib/errors.ts';
import { hasTooManyMembers, TOO_MANY_MEMBERS, textFault } from '../lib/json-faults.ts';

const KIB = 1_024;
const MAX_BODY_BYTES = 1_024 * KIB;
/** Anonymous bodies are limited more strictly, since no tenant pays for them. */
const MAX_ANONYMOUS_BYTES = 64 * KIB;
/** The body size that counts as one request. */
const BYTES_PER_POINT = 64 * KIB;

const tooLarge = (most: number) =>
  new DomainError(
    'PAYLOAD_TOO_LARGE',
    most === MAX_BODY_BYTES
      ? 'The body is larger than 1 MiB.'
      : 'Without a credential a body has at most 64 KiB.',
  );

const pointsOf = (bytes: number) => Math.ceil(bytes / BYTES_PER_POINT);

/** Reads a body up to the caller's limit and counts it by its size. */
export async function readBody(request: IncomingMessage, ctx: RequestContext): Promise<Buffer> {
  const most = ctx.principal.kind === 'anonymous' ? MAX_ANONYMOUS_BYTES : MAX_BODY_BYTES;
  const announced = Math.min(Number(request.headers['content-length'] ?? 0), most);
  // The declared length is counted first, so a caller over its rate limit is rejected without reading the body.
  await charge(ctx, pointsOf(announced) - 1);
  const body = await readUpTo(request, most);
  await charge(ctx, pointsOf(body.length) - Math.max(1, pointsOf(announced)));
  return body;
}

/** The excess is not read: the connection is closed with the response. */
function readUpTo(request: IncomingMessage, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > most) throw tooLarge(most);
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= most) chunks.push(chunk);
      else {
        request.pause();
        reject(tooLarge(most));
      }
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

const JSON_TYPE = /^application\/(json|[\w.-]+\+json) *(;|$)/i;

/** A form on another site can send any non-JSON body without a preflight request. */
export function checkIsJson(body: Buffer, contentType: string | undefined): void {
  if (body.length === 0 || JSON_TYPE.test(contentType ?? '')) return;
  throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON (Content-Type: application/json).');
}

/**
 * The JSON value of a body; an empty body counts as an empty object. With `exact`, values that JSON.parse would drop or change
 * are rejected.
 */
export function parseJson(body: Buffer, exact: boolean): unknown {
  if (body.length === 0) return {};
  const { text, value } = readJson(body);
  const fault = textFault(text, value, exact);
  if (fault) throw validationError([fault]);
  return value;
}

/** The text and value of a body. Members are counted first: a megabyte of `{}` would cost half a second later on. */
export function readJson(body: Buffer): { text: string; value: unknown } {
  const text = orNotJson(() => utf8.decode(body));
  if (hasTooManyMembers(text)) throw validationError([{ path: '', message: TOO_MANY_MEMBERS }]);
  return { text, value: orNotJson(() => JSON.parse(text)) };
}

function orNotJson<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw new DomainError('BAD_REQUEST', 'The body is not valid JSON.');
  }
}
