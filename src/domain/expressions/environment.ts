// Expressions in workflows are CEL (Common Expression Language): it has no loops without an end, no assignment and
// no way to the host, and its library interprets the parsed tree without ever generating code.
import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

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

/** What the condition of a mandate may speak of. */
export const conditionVariables = ['input', 'riskScore'] as const;

/** What a text or list may grow to on the way: an expression is short, but what it makes of its input need not be. */
export const MAX_TEXT = 128 * 1024;
export const MAX_VALUES = 20_000;

const PATTERNS_KEPT = 100;

/** Functions of the library that get another body: a call by the name on the left becomes one of the name on the right. */
const REPLACED: Record<string, string> = { matches: 'matchesLinear', join: 'joinBounded' };

const patterns = new LRUCache<string, RE2JS>({
  max: PATTERNS_KEPT,
  memoMethod: (text) => RE2JS.compile(text),
});

/** In time linear in the text, whatever the pattern; the engine of the language can take for ever. */
function matchesLinear(text: string, pattern: string): boolean {
  try {
    return patterns.memo(pattern).test(text);
  } catch {
    throw new Error(`Invalid regular expression: ${pattern}`);
  }
}

function joinBounded(list: unknown[], separator = ''): string {
  let length = 0;
  for (const each of list) {
    if (typeof each !== 'string') throw new Error('join(): the list must contain only strings');
    length += each.length + separator.length;
    if (length > MAX_TEXT) throw tooLong();
  }
  return list.join(separator);
}

const tooLong = () => new Error(`gives more than ${MAX_TEXT} characters`);

function bounded<T>(value: T): T {
  if (typeof value === 'string' && value.length > MAX_TEXT) throw tooLong();
  if (value instanceof Uint8Array && value.length > MAX_TEXT) throw tooLong();
  if (Array.isArray(value) && value.length > MAX_VALUES)
    throw new Error(`gives more than ${MAX_VALUES} values`);
  return value;
}

const VARIABLES = {
  workflow: expressionVariables.map((name) => [name, name === 'now' ? 'string' : 'map'] as const),
  // Null where the caller gave no score.
  mandate: conditionVariables.map((name) => [name, name === 'input' ? 'map' : 'dyn'] as const),
};

/** Where an expression stands decides what it may speak of. */
export type ExpressionUse = keyof typeof VARIABLES;

const environments = { workflow: makeEnvironment('workflow'), mandate: makeEnvironment('mandate') };

/** Throws when the expression does not parse or its kinds of value do not fit. */
export function parseExpression(source: string, use: ExpressionUse): ParseResult {
  const run = environments[use].parse(source);
  const nodes = nodesOf(run.ast as unknown as Node);
  for (const node of nodes) replaceCall(node);
  const checked = run.check();
  if (!checked.valid) throw checked.error;
  for (const node of nodes) boundSum(node);
  return run;
}

/** The library's one-line summary, with its own names of functions; its full message draws the source with carets. */
export function problemOf(error: unknown): string {
  const { summary, message } = error as { summary?: string; message: string };
  return Object.entries(REPLACED).reduce(
    (text, [name, own]) => text.replaceAll(own, name),
    summary ?? message,
  );
}

/** As much of the library's tree as is touched here. */
interface Node {
  op: string;
  args: unknown;
  meta: { alternate?: Node; evaluate: Evaluate };
  setMeta(key: 'evaluate', value: Evaluate): void;
}
type Evaluate = (evaluator: unknown, node: Node, context: unknown) => unknown;

function nodesOf(value: unknown, found = new Set<Node>()): Set<Node> {
  if (typeof value !== 'object' || value === null || found.has(value as Node)) return found;
  const node = value as Partial<Node>;
  if (typeof node.op === 'string' && node.setMeta) {
    found.add(node as Node);
    nodesOf(node.args, found);
    nodesOf(node.meta?.alternate, found);
  } else {
    for (const member of Object.values(value)) nodesOf(member, found);
  }
  return found;
}

function replaceCall({ op, args }: Node): void {
  const call = args as [name: string];
  if (op === 'rcall' && Object.hasOwn(REPLACED, call[0])) call[0] = REPLACED[call[0]]!;
}

/** A text added to itself again and again outgrows any memory before anybody looks at it. */
function boundSum(node: Node): void {
  if (node.op !== '+') return;
  const { evaluate } = node.meta;
  node.setMeta('evaluate', (evaluator, self, context) => bounded(evaluate(evaluator, self, context)));
}

function makeEnvironment(use: ExpressionUse): Environment {
  const made = new Environment({
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: 400, maxDepth: 24, maxListElements: 100, maxMapEntries: 100, maxCallArguments: 8 },
  });
  for (const [name, type] of VARIABLES[use]) made.registerVariable(name, type);
  made.registerFunction('string.matchesLinear(string): bool', matchesLinear);
  made.registerFunction('list<string>.joinBounded(): string', (list: unknown[]) => joinBounded(list));
  made.registerFunction('list<string>.joinBounded(string): string', joinBounded);
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
