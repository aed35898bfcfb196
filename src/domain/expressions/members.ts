import { readableTree } from './expression.ts';

/** A value that an expression reads: `['facts', 'members']` for `facts.members`. */
export interface MemberRead {
  path: string[];
  /** The same expression tests it with `has()`, so it may be missing. */
  tested: boolean;
}

/** The part of a parsed expression that is read here. */
interface Node {
  op: string;
  args: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Node>).op === 'string';

/** The values that a valid expression reads, each with the members that are named literally. */
export function membersReadBy(source: string): MemberRead[] {
  const read: string[][] = [];
  const tested: string[][] = [];
  visit(readableTree(source), new Set(), (path, isTest) => (isTest ? tested : read).push(path));
  const isTested = (path: string[]) =>
    tested.some((test) => test.length <= path.length && test.every((name, index) => name === path[index]));
  return read.map((path) => ({ path, tested: isTested(path) }));
}

type Report = (path: string[], isTest: boolean) => void;

function visit(value: unknown, bound: ReadonlySet<string>, report: Report): void {
  if (Array.isArray(value)) {
    for (const each of value) visit(each, bound, report);
    return;
  }
  if (!isNode(value)) return;
  const path = pathOf(value);
  if (path) {
    if (!bound.has(path[0]!)) report(path, false);
    return;
  }
  const args = value.args as unknown[];
  if (value.op === 'call' && args[0] === 'has') {
    const test = pathOf((args[1] as unknown[])[0]);
    if (test && !bound.has(test[0]!)) report(test, true);
  } else if (value.op === 'rcall') {
    const [, receiver, given] = args as [string, unknown, unknown[]];
    const variable = variableOf(given);
    visit(receiver, bound, report);
    visit(given, variable ? new Set([...bound, variable]) : bound, report);
  } else visit(args, bound, report);
}

/** The variable that a macro such as `list.exists(item, item > 1)` declares. */
function variableOf(given: unknown[]): string | null {
  const [first] = given;
  return given.length > 1 && isNode(first) && first.op === 'id' ? (first.args as string) : null;
}

function pathOf(value: unknown): string[] | null {
  if (!isNode(value)) return null;
  if (value.op === 'id') return [value.args as string];
  if (value.op !== '.' && value.op !== '[]') return null;
  const [base, member] = value.args as [unknown, unknown];
  const name = isNode(member) && member.op === 'value' ? member.args : member;
  const path = pathOf(base);
  return path && typeof name === 'string' ? [...path, name] : null;
}
