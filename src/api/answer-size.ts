import { RateLimitExceeded } from '../domain/limits/limiter.ts';
import { DomainError } from '../lib/errors.ts';
import { makePace } from '../lib/pace.ts';
import { charge } from './rates.ts';
import type { RequestContext } from './request-context.ts';

const MEBIBYTE = 1_048_576;
const MAX_ANSWER_MB = 16;
const MAX_ANSWER_BYTES = MAX_ANSWER_MB * MEBIBYTE;
/** Each started unit of an answer costs 1; the first is part of the request. */
const UNIT_BYTES = 262_144;

/** A large one in parts, because joining them would block the process. */
export type JsonBody = string | Buffer[];

/** The JSON of an answer. A large one takes several turns of the event loop, and is held until it has been sent. */
export async function jsonAnswer(ctx: RequestContext, value: unknown): Promise<JsonBody> {
  return repeatsNothing(ctx) || isSmall(value) ? checked(JSON.stringify(value)) : largeJson(ctx, value);
}

/** Our own documents select each value once, so their answers are about as large as what was read. */
const repeatsNothing = ({ ownQuery, content }: RequestContext): boolean =>
  ownQuery && content !== null && content.size() < UNIT_BYTES;

/**
 * Whether the JSON of a value has little text. What was read says nothing about it: an answer may repeat one value under many
 * names and in every item of a list.
 */
export const isSmall = (value: unknown): boolean => spaceLeft(value, UNIT_BYTES) >= 0;

/** At least this much of any value but a text. */
const VALUE_BYTES = 2;

function spaceLeft(value: unknown, space: number): number {
  if (typeof value === 'string') return space - value.length;
  let left = space - VALUE_BYTES;
  if (typeof value !== 'object' || value === null) return left;
  for (const name in value) {
    left = spaceLeft((value as Record<string, unknown>)[name], left - name.length);
    if (left < 0) break;
  }
  return left;
}

export async function largeJson({ content }: RequestContext, value: unknown): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  const pace = makePace();
  let text = '';
  let bytes = 0;
  const add = () => {
    bytes += parts[parts.push(Buffer.from(text)) - 1]!.length;
    if (bytes > MAX_ANSWER_BYTES) throw tooLarge();
    const refusal = content?.count(Math.max(0, bytes - content.size()));
    if (refusal) throw refusal;
    text = '';
  };
  for (const piece of pieces(value)) {
    text += piece;
    const turn = pace(piece.length);
    if (!turn) continue;
    add();
    await turn;
  }
  add();
  return parts;
}

function* pieces(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || 'toJSON' in value || isSmall(value)) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const isList = Array.isArray(value);
  let before = isList ? '[' : '{';
  for (const [name, member] of Object.entries(value)) {
    if (!isList && member === undefined) continue;
    yield isList ? before : `${before}${JSON.stringify(name)}:`;
    yield* pieces(member);
    before = ',';
  }
  if (before !== ',') yield before;
  yield isList ? ']' : '}';
}

/** Refuses an answer that is too large to send. */
export function checked(body: string): string {
  if (body.length > MAX_ANSWER_BYTES || sizeOf(body) > MAX_ANSWER_BYTES) throw tooLarge();
  return body;
}

/** In most answers, only the upper bound of their size matters. */
const sizeOf = (text: string): number =>
  text.length * 3 <= UNIT_BYTES ? text.length : Buffer.byteLength(text);

const tooLarge = () =>
  new DomainError(
    'RESPONSE_TOO_LARGE',
    `The answer has more than ${MAX_ANSWER_MB} MiB; ask for fewer items or fields.`,
  );

/** Counts the bytes of an answer that is about to be sent. It is sent even if it uses up the rate. */
export async function chargeAnswer(ctx: RequestContext, body: unknown, length: number): Promise<void> {
  const bytes = typeof body === 'string' ? sizeOf(body) : length;
  if (bytes > UNIT_BYTES) await chargeUnits(ctx, Math.ceil(bytes / UNIT_BYTES) - 1);
}

/** Counts the bytes of a stream as they are sent. */
export async function* chargedStream(
  ctx: RequestContext,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    const before = Math.floor(bytes / UNIT_BYTES);
    bytes += chunk.length;
    await chargeUnits(ctx, Math.floor(bytes / UNIT_BYTES) - before);
    yield chunk;
  }
}

async function chargeUnits(ctx: RequestContext, units: number): Promise<void> {
  await charge(ctx, units).catch((error: unknown) => {
    if (!(error instanceof RateLimitExceeded)) throw error;
  });
}
