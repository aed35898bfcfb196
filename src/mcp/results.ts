import type { CallToolResult } from '@modelcontextprotocol/server';
import type { PublicError } from '../api/public-error.ts';
import type { FieldFault } from '../lib/errors.ts';
import { errorBody, nameOf } from '../rest/errors.ts';

/** A result in both forms, structured and as text for clients without structured output, plus a hint. */
export function toolResult(data: object, hint?: string): CallToolResult {
  return {
    content: [
      { type: 'text', text: JSON.stringify(data) },
      ...(hint === undefined ? [] : [{ type: 'text' as const, text: hint }]),
    ],
    structuredContent: data as Record<string, unknown>,
  };
}

/** An error that the model can act on: code and message of the Proof API, with every invalid field. */
export function toolError(error: PublicError, requestId: string): CallToolResult {
  const fields = (error.details?.['fields'] as FieldFault[] | undefined) ?? [];
  const lines = [
    `${nameOf(error.code, 'proof')}: ${error.message}`,
    ...fields.slice(1).map(({ path, message }) => `${path}: ${message}`),
    ...(error.retryAfter === undefined ? [] : [`Try again in ${error.retryAfter} s.`]),
  ];
  return {
    // Text only: older clients validate structured content against the schema of successes.
    content: [
      { type: 'text', text: lines.join('\n') },
      { type: 'text', text: JSON.stringify(errorBody(error, 'proof', requestId)) },
    ],
    isError: true,
  };
}
