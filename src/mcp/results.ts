import type { CallToolResult } from '@modelcontextprotocol/server';
import type { PublicError } from '../api/public-error.ts';
import type { FieldFault } from '../lib/errors.ts';
import { errorBody, nameOf } from '../rest/errors.ts';

/** An answer in both forms: structured for programs, the same as text for those who know no structure, and a hint. */
export function toolResult(data: object, hint?: string): CallToolResult {
  return {
    content: [
      { type: 'text', text: JSON.stringify(data) },
      ...(hint === undefined ? [] : [{ type: 'text' as const, text: hint }]),
    ],
    structuredContent: data as Record<string, unknown>,
  };
}

/** A failure that the model can read and act on: the code and the words of the Proof API, every faulty field named. */
export function toolError(error: PublicError, requestId: string): CallToolResult {
  const fields = (error.details?.['fields'] as FieldFault[] | undefined) ?? [];
  const lines = [
    `${nameOf(error.code, 'proof')}: ${error.message}`,
    ...fields.slice(1).map(({ path, message }) => `${path}: ${message}`),
    ...(error.retryAfter === undefined ? [] : [`Try again in ${error.retryAfter} s.`]),
  ];
  return {
    // As text only: older clients hold whatever is structured against the schema of successes.
    content: [
      { type: 'text', text: lines.join('\n') },
      { type: 'text', text: JSON.stringify(errorBody(error, 'proof', requestId)) },
    ],
    isError: true,
  };
}
