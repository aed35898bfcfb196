import { z } from 'zod';
import { parseJson } from '../../../../lib/json.ts';
import { type Context, currentCenterId } from '../../../context.ts';
import { type Pieces, text } from '../../../expressions/sandbox/pieces.ts';
import { RateLimitExceeded } from '../../../limits/limiter.ts';
import type { StepOf } from '../../definition/steps.ts';
import { failed, type Performer } from '../outcome.ts';

const MAX_RESPONSE_BYTES = 512 * 1024;

const completion = z.object({
  model: z.string().optional(),
  choices: z
    .array(z.object({ message: z.object({ content: z.string() }), finish_reason: z.string().nullish() }))
    .min(1),
});

/** Calls the model configured by the operator, through the chat completions API. */
export const ai: Performer<StepOf<'ai'>> = {
  outside: { seconds: (step) => step.timeoutSeconds, host: () => null },
  prepare: async (step, render, { app }) => ({
    model: step.model ?? app.config.ai?.model ?? null,
    ...(await render(piecesOf(step))),
  }),
  async perform(step, { ctx, run, position, input }) {
    const { ai: endpoint } = ctx.app.config;
    if (!endpoint) return failed('no AI endpoint is configured: AI_BASE_URL is not set');
    if (!input['model']) return failed('no AI model is configured: set it in the step or in AI_MODEL');
    const retryAfterMs = await waitForQuota(ctx);
    if (retryAfterMs !== null) return { kind: 'busy', retryAfterMs };
    const messages = [
      ...(input['system'] ? [{ role: 'system', content: input['system'] }] : []),
      { role: 'user', content: input['prompt'] },
    ];
    let response: Response;
    let text: string;
    try {
      // The operator's own endpoint, so the rules for tenants' addresses do not apply.
      response = await fetch(`${endpoint.baseUrl}/chat/completions`, {
        method: 'POST',
        redirect: 'error',
        signal: AbortSignal.timeout(step.timeoutSeconds * 1_000),
        headers: {
          'content-type': 'application/json',
          'idempotency-key': `${run.executionId}:${position}`,
          ...(endpoint.apiKey && { authorization: `Bearer ${endpoint.apiKey}` }),
        },
        body: JSON.stringify({
          model: input['model'],
          messages,
          max_tokens: step.maxTokens,
          ...(step.temperature !== undefined && { temperature: step.temperature }),
        }),
      });
      text = await boundedText(response);
    } catch (error) {
      const { name } = error as Error;
      return failed(
        name === 'TimeoutError' ? 'the AI endpoint took too long' : 'the AI endpoint is unreachable',
        true,
      );
    }
    if (!response.ok) {
      return failed(
        `the AI endpoint answered ${response.status}`,
        response.status === 429 || response.status >= 500,
      );
    }
    const parsed = completion.safeParse(parseJson(text));
    if (!parsed.success) return failed('the AI endpoint did not return a completion', true);
    const [choice] = parsed.data.choices;
    return {
      kind: 'done',
      output: {
        text: choice!.message.content,
        model: parsed.data.model ?? input['model'],
        finishReason: choice!.finish_reason ?? null,
      },
    };
  },
};

/** The operator pays for each call, so every center has a quota. Beyond it, the step waits for the next minute. */
async function waitForQuota(ctx: Context): Promise<number | null> {
  const { limiter, config } = ctx.app;
  try {
    await limiter.count({ key: `ai:${currentCenterId(ctx)}`, limit: config.rates.ai }, ctx.now);
    return null;
  } catch (error) {
    if (!(error instanceof RateLimitExceeded)) throw error;
    return Math.max(1_000, error.rate.resetAt * 1_000 - Date.now());
  }
}

function piecesOf({ prompt, system }: StepOf<'ai'>): Pieces {
  return system === undefined ? { prompt: text(prompt) } : { system: text(system), prompt: text(prompt) };
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) throw new Error('the answer is too long');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
