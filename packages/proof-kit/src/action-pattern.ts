/** Patterns of action types: an exact type, `prefix.*` for everything below a prefix, or `*` for everything. */
import { normalText } from './approver-id.ts';

export function isActionPattern(text: string): boolean {
  return text === '*' || /^[^*]+(\.\*)?$/.test(text);
}

/** Both sides are compared in normal form, so that another spelling of a type cannot escape its policy. */
export function matchesAction(pattern: string, actionType: string): boolean {
  if (pattern === '*') return true;
  const [asked, type] = [normalText(pattern), normalText(actionType)];
  // `payment.*` keeps its dot, so it matches payment.refund but neither payment nor payments.refund.
  if (asked.endsWith('.*')) return type.startsWith(asked.slice(0, -1));
  return asked === type;
}

/** Of two patterns that match the same action type, the one with the higher value is more specific. */
export function specificity(pattern: string): number {
  if (pattern === '*') return 0;
  return pattern.endsWith('.*') ? pattern.length : Number.POSITIVE_INFINITY;
}

/** An action that a pattern covers, and which no narrower pattern covers. */
export const exampleOf = (pattern: string): string =>
  specificity(pattern) === Number.POSITIVE_INFINITY ? pattern : `${pattern.slice(0, -1)}(any)`;
