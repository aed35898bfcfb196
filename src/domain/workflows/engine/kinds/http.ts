import { parseJson } from '../../../../lib/json.ts';
import { json, type Pieces, text } from '../../../expressions/sandbox/pieces.ts';
import type { StepOf } from '../../definition/steps.ts';
import { failed, type Performer } from '../outcome.ts';

const MAX_RESPONSE_BYTES = 64 * 1024;
/** Set by the service itself; the step cannot override them. */
const OWN_HEADERS = new Set(['idempotency-key', 'content-length', 'transfer-encoding', 'connection', 'host']);

/** Calls another system. The call may be repeated after a crash or a failure, always with the same Idempotency-Key. */
export const http: Performer<StepOf<'http'>> = {
  outside: {
    seconds: (step) => step.timeoutSeconds,
    // An invalid address fails by itself.
    host: ({ url }) => URL.parse(url as string)?.host ?? '',
  },
  prepare: async (step, render) => ({
    method: step.method,
    // Only the names, because values may be credentials.
    headers: Object.keys(step.headers ?? {}),
    ...(await render(piecesOf(step))),
  }),
  async perform(step, { ctx, run, position, input, render }) {
    const given = Object.entries(step.headers ?? {}).filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()));
    const headers = await render(
      Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), text(value)])),
    );
    const { body } = input;
    const answer = await ctx.app.outbound.request({
      method: step.method,
      url: input['url'] as string,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(headers as Record<string, string>),
        'idempotency-key': `${run.executionId}:${position}`,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      timeoutMs: step.timeoutSeconds * 1_000,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    });
    if (!answer.ok) return failed(answer.message, answer.kind !== 'refused-address');
    if (answer.status < 200 || answer.status > 299) {
      return failed(`the answer was ${answer.status}`, isPassing(answer.status));
    }
    return { kind: 'done', output: { status: answer.status, body: readable(answer.body) } };
  },
};

function piecesOf({ url, body }: StepOf<'http'>): Pieces {
  return body === undefined ? { url: text(url) } : { url: text(url), body: json(body) };
}

const isPassing = (status: number) => status === 408 || status === 425 || status === 429 || status >= 500;

/** JSON is parsed, so that later steps can read its members. Anything else is text. */
function readable(body: string): unknown {
  const value = parseJson(body);
  return value === undefined ? body : value;
}
