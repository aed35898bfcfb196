// Expressions in workflows are CEL (Common Expression Language): it has no loops without an end, no assignment and
// no way to the host, and its library interprets the parsed tree without ever generating code.
import { Environment } from '@marcbachmann/cel-js';
import { LRUCache } from 'lru-cache';
import { withinTime } from './within-time.ts';

export const MAX_EXPRESSION_LENGTH = 2_000;
const MAX_RUN_MS = 250;
const PARSED_KEPT = 500;
/** What a value may grow to: an expression is short, but what it makes of its input need not be. */
const MAX_VALUES = 20_000;
const MAX_TEXT = 128 * 1024;

/** What every expression may speak of. */
export const expressionVariables = [
  'parameters',
  'steps',
  'event',
  'workflow',
  'execution',
  'center',
  'facts',
  'now',
] as const;

export type ExpressionScope = Record<(typeof expressionVariables)[number], unknown>;

/** An expression that does not parse, does not fit its values, or takes too long; the message is for its author. */
export class ExpressionError extends Error {}

const environment = makeEnvironment();
type Parsed = ReturnType<Environment['parse']>;

const parsed = new LRUCache<string, Parsed>({ max: PARSED_KEPT, memoMethod: parse });

/** What is wrong with an expression before it ever runs; null when nothing is. */
export function expressionProblem(source: string): string | null {
  try {
    parsed.memo(source);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The names of the steps whose output the expression reads. */
export function stepsReadBy(source: string): string[] {
  return [...source.matchAll(/\bsteps\s*\.\s*([A-Za-z_]\w*)/g)].map((match) => match[1]!);
}

/** The value of an expression, as plain JSON. */
export function evaluate(source: string, scope: ExpressionScope): unknown {
  const run = parsed.memo(source);
  try {
    return withinTime(MAX_RUN_MS, () => toJson(run(scope)));
  } catch (error) {
    throw new ExpressionError(`${source}: ${problemOf(error)}`);
  }
}

function parse(source: string): Parsed {
  if (source.length > MAX_EXPRESSION_LENGTH) {
    throw new ExpressionError(`an expression has at most ${MAX_EXPRESSION_LENGTH} characters`);
  }
  try {
    const run = environment.parse(source);
    const verdict = run.check();
    if (!verdict.valid) throw verdict.error;
    return run;
  } catch (error) {
    throw new ExpressionError(problemOf(error));
  }
}

/** The library's one-line summary; its full message draws the source with carets. */
function problemOf(error: unknown): string {
  const { summary, message } = error as { summary?: string; message: string };
  return summary ?? message;
}

function makeEnvironment(): Environment {
  const made = new Environment({
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: 400, maxDepth: 24, maxListElements: 100, maxMapEntries: 100, maxCallArguments: 8 },
  });
  for (const name of expressionVariables) made.registerVariable(name, name === 'now' ? 'string' : 'map');
  // Numbers of JSON are doubles to CEL while literals without a point are ints; people mean numbers by both.
  const mixed = {
    '+': (a: number, b: number) => a + b,
    '-': (a: number, b: number) => a - b,
    '*': (a: number, b: number) => a * b,
    '/': (a: number, b: number) => a / b,
  };
  for (const [operator, calculate] of Object.entries(mixed)) {
    const handler = (a: number | bigint, b: number | bigint) => calculate(Number(a), Number(b));
    made.registerOperator(`double ${operator} int`, handler);
    made.registerOperator(`int ${operator} double`, handler);
  }
  return made;
}

/** CEL's own kinds of value (64-bit ints, timestamps, durations, maps) in the form JSON has for them. */
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
