// Action-type patterns: an exact type, `prefix.*` for everything below a prefix, or `*` for everything.

export function isActionPattern(text: string): boolean {
  return text === '*' || /^[^*]+(\.\*)?$/.test(text);
}

export function matchesAction(pattern: string, actionType: string): boolean {
  if (pattern === '*') return true;
  // `payment.*` keeps its dot, so it takes payment.refund but neither payment nor payments.refund.
  if (pattern.endsWith('.*')) return actionType.startsWith(pattern.slice(0, -1));
  return pattern === actionType;
}

/** Of two patterns that match the same action type, the one with the higher figure is more specific. */
export function specificity(pattern: string): number {
  if (pattern === '*') return 0;
  return pattern.endsWith('.*') ? pattern.length : Number.POSITIVE_INFINITY;
}
