import type { ParseResult } from '@marcbachmann/cel-js';
import { LRUCache } from 'lru-cache';
import {
  type conditionVariables,
  type ExpressionUse,
  type expressionVariables,
  MAX_TEXT,
  MAX_VALUES,
  parseExpression,
  positionOf,
  problemOf,
} from './environment.ts';

const MAX_EXPRESSION_LENGTH = 2_000;
const PARSED_KEPT = 500;

export type ExpressionScope = Record<(typeof expressionVariables)[number], unknown>;
export type ConditionScope = Record<(typeof conditionVariables)[number], unknown>;

/** An expression that does not parse, does not match its values, or exceeds its limits. The message is for its author. */
export class ExpressionError extends Error {}

const makeCache = (use: ExpressionUse) =>
  new LRUCache<string, ParseResult>({ max: PARSED_KEPT, memoMethod: (source) => parse(source, use) });
const parsed = { workflow: makeCache('workflow'), mandate: makeCache('mandate') };

/** Why an expression is invalid, before it runs; null if it is valid. */
export function expressionProblem(source: string, use: ExpressionUse = 'workflow'): string | null {
  try {
    parsed[use].memo(source);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The syntax tree of a valid expression. Read only: the next evaluation uses the same one. */
export function readableTree(source: string, use: ExpressionUse = 'workflow'): unknown {
  return parsed[use].memo(source).ast;
}

/** The value of an expression, as plain JSON. Time and memory are not limited here, so call it only in the sandbox. */
export function evaluate(
  source: string,
  scope: ExpressionScope | ConditionScope,
  use: ExpressionUse = 'workflow',
): unknown {
  const run = parsed[use].memo(source);
  try {
    return toJson(run(scope));
  } catch (error) {
    throw new ExpressionError(`${source}: ${problemIn(source, use, error)}`);
  }
}

function parse(source: string, use: ExpressionUse): ParseResult {
  if (source.length > MAX_EXPRESSION_LENGTH) {
    throw new ExpressionError(`an expression has at most ${MAX_EXPRESSION_LENGTH} characters`);
  }
  try {
    return parseExpression(source, use);
  } catch (error) {
    throw new ExpressionError(problemIn(source, use, error));
  }
}

/** The author of a condition sees it alone in its field, so its problems name their position. */
const problemIn = (source: string, use: ExpressionUse, error: unknown) =>
  problemOf(error) + (use === 'mandate' ? positionOf(error, source) : '');

/** CEL's own types (64-bit ints, timestamps, durations, maps) in their JSON form. */
function toJson(value: unknown, budget = { left: MAX_VALUES }): unknown {
  if (--budget.left < 0) throw new Error(`gives more than ${MAX_VALUES} values`);
  const each = (member: unknown) => toJson(member, budget);
  if (typeof value === 'string' && value.length > MAX_TEXT)
    throw new Error(`gives more than ${MAX_TEXT} characters`);
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(each);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, member]) => [key, each(member)]));
  if (value !== null && typeof value === 'object') {
    if (Object.getPrototypeOf(value) !== Object.prototype) return String(value);
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, each(member)]));
  }
  return value ?? null;
}
