// Expressions in workflows are CEL (Common Expression Language). It has no unbounded loops, no assignment and no access to the
// host, and its library interprets the parsed tree without generating code.
import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

/** What every expression may reference. */
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

/** What the condition of a mandate may reference. */
export const conditionVariables = ['input', 'riskScore'] as const;

/** The maximum size of intermediate strings and lists. An expression is short, but its results may not be. */
export const MAX_TEXT = 128 * 1024;
export const MAX_VALUES = 20_000;

const PATTERNS_KEPT = 100;

/** Library functions with a replaced implementation: a call to the name on the left becomes one to the name on the right. */
const REPLACED: Record<string, string> = { matches: 'matchesLinear', join: 'joinBounded' };

const patterns = new LRUCache<string, RE2JS>({
  max: PATTERNS_KEPT,
  memoMethod: (text) => RE2JS.compile(text),
});

/** Runs in time linear in the text, whatever the pattern. JavaScript's engine can take forever. */
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
  // Null if the caller gave no score.
  mandate: conditionVariables.map((name) => [name, name === 'input' ? 'map' : 'dyn'] as const),
};

/** What a condition can give; `dyn` if only its evaluation tells. */
const CONDITION_TYPES = new Set(['bool', 'dyn']);

/** The place of an expression determines what it may reference. */
export type ExpressionUse = keyof typeof VARIABLES;

const environments = { workflow: makeEnvironment('workflow'), mandate: makeEnvironment('mandate') };

/** Throws if the expression does not parse or its types do not match. */
export function parseExpression(source: string, use: ExpressionUse): ParseResult {
  const run = environments[use].parse(source);
  const nodes = nodesOf(run.ast as unknown as Node);
  for (const node of nodes) replaceCall(node);
  const checked = run.check();
  if (!checked.valid) throw checked.error;
  if (use === 'mandate' && !CONDITION_TYPES.has(String(checked.type)))
    throw new Error(`must give true or false, and this gives a value of the type ${checked.type}`);
  for (const node of nodes) boundSum(node);
  return run;
}

/** The library's one-line summary, which uses its own function names. Its full message draws the source with carets. */
export function problemOf(error: unknown): string {
  const { summary, message } = error as { summary?: string; message: string };
  return Object.entries(REPLACED).reduce(
    (text, [name, own]) => text.replaceAll(own, name),
    (summary ?? message).replace('Unexpected token: EOF', 'Unexpected end of the expression'),
  );
}

/** Where in the expression the problem is, as ` (line 1, column 8)`; empty if the library does not say. */
export function positionOf(error: unknown, source: string): string {
  const start = (error as { range?: { start: number } }).range?.start;
  if (start === undefined) return '';
  const before = source.slice(0, start).split('\n');
  return ` (line ${before.length}, column ${before.at(-1)!.length + 1})`;
}

/** The part of the library's tree that is used here. */
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

/** Repeated concatenation of a string with itself would exhaust memory before any check. */
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
  // JSON numbers are doubles in CEL, while literals without a decimal point are ints. Authors mean numbers by both.
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
