import { endOfString, firstIssue, type JsonIssue, type JsonRules } from '@countersign/proof-kit/strict-json';

/**
 * Finds JSON from callers that cannot be stored unchanged. JSON.parse accepts NUL and lone surrogates, which PostgreSQL
 * rejects; it drops duplicate keys and rounds numbers. Most texts have no escapes and only short numbers, so a fast check
 * comes first; the others are parsed again by the strict parser of proofs, which reports the path.
 */
export interface JsonFault {
  /** The path with dots; empty for the whole document. */
  path: string;
  message: string;
}

/** Deeper than any reasonable document, and far below what would exhaust the stack. */
export const DEEPEST_JSON = 128;

export const UNSTORABLE = 'must not contain the NUL character or broken Unicode';
const MOST_MEMBERS = 10_000;
export const TOO_MANY_MEMBERS = `must not contain more than ${MOST_MEMBERS} object members and array items`;
const TOO_DEEP = `must not be nested deeper than ${DEEPEST_JSON} levels`;
const REPEATED = 'is a duplicate key';
const NOT_CARRIED = 'is a number that a double cannot represent exactly; send it as a string';
const NOT_FINITE = 'must be a finite number';

/** PostgreSQL cannot store NUL, and a lone surrogate has no UTF-8 form. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Whether the fault is no longer visible in the parsed value; the others can be found there too. */
export const isLoss = ({ message }: JsonFault): boolean => message === REPEATED || message === NOT_CARRIED;

/** Checks a value that is already parsed: query arguments or path parameters. */
export function valueFault(root: unknown, deepest: number = DEEPEST_JSON): JsonFault | null {
  return isSound(root, deepest) ? null : faultWithin(root, deepest);
}

function isSound(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (levels <= 0) return false;
  if (Array.isArray(value)) return value.every((item) => isSound(item, levels - 1));
  for (const key of Object.keys(value)) {
    if (!isStorable(key) || !isSound((value as Record<string, unknown>)[key], levels - 1)) return false;
  }
  return true;
}

function faultWithin(root: unknown, deepest: number): JsonFault | null {
  const open: { value: unknown; path: string; depth: number }[] = [{ value: root, path: '', depth: 0 }];
  for (let item = open.pop(); item; item = open.pop()) {
    const { value, path, depth } = item;
    if (typeof value === 'string' && !isStorable(value)) return { path, message: UNSTORABLE };
    if (typeof value === 'number' && !Number.isFinite(value)) return { path, message: NOT_FINITE };
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= deepest) return { path, message: TOO_DEEP.replace(String(DEEPEST_JSON), String(deepest)) };
    for (const key of Object.keys(value)) {
      const below = path === '' ? key : `${path}.${key}`;
      if (!isStorable(key)) return { path: below, message: UNSTORABLE };
      open.push({ value: (value as Record<string, unknown>)[key], path: below, depth: depth + 1 });
    }
  }
  return null;
}

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Whether a text, JSON or not, has more members and items than allowed. It stops at the first one too many, so it is far
 * cheaper than parsing and validating.
 */
export function hasTooManyMembers(text: string): boolean {
  // The shortest item takes two characters, including its comma.
  if (text.length <= 2 * MOST_MEMBERS) return false;
  let members = 0;
  let opened = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code <= SPACE) continue;
    const isFirst = opened && code !== CLOSE_OBJECT && code !== CLOSE_LIST;
    if ((code === COMMA || isFirst) && ++members > MOST_MEMBERS) return true;
    opened = code === OPEN_OBJECT || code === OPEN_LIST;
    if (code === QUOTE) {
      i = endOfString(text, i);
      if (i === -1) return false;
    }
  }
  return false;
}

/**
 * Checks JSON text that JSON.parse has accepted, together with the parsed value. With `exact`, duplicate keys and numbers that
 * a double cannot represent are faults too: they are visible only in the text. Costs a small fraction of parsing.
 */
export function textFault(text: string, value: unknown, exact: boolean): JsonFault | null {
  return isPlain(text, value, exact) ? null : faultInText(text, exact);
}

/** Whether the text cannot contain a fault: no escapes, short numbers, shallow, and as many members as the value. */
function isPlain(text: string, value: unknown, exact: boolean): boolean {
  if (text.includes('\\')) return false;
  let depth = 0;
  let members = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = text.indexOf('"', i + 1);
    else if (code === COLON) members++;
    else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      if (++depth > DEEPEST_JSON) return false;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth--;
    else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const end = endOfNumber(text, i);
      if (!isShort(text.slice(i, end))) return false;
      i = end - 1;
    }
  }
  return !exact || members === membersOf(value);
}

/** A duplicate key is in the text twice and in the value once. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const below = Object.values(value);
  let members = Array.isArray(value) ? 0 : below.length;
  for (const each of below) members += membersOf(each);
  return members;
}

/** The storage rules, which are stricter than those of proofs: NUL is rejected, and all digits of a number count. */
const storableRules: JsonRules = {
  isTooDeep: (depth, isContainer) => isContainer && depth >= DEEPEST_JSON,
  acceptsText: isStorable,
  acceptsNumber: (_, value) => Number.isFinite(value),
  acceptsDuplicates: true,
};
const exactRules: JsonRules = { ...storableRules, acceptsNumber: isExactDouble, acceptsDuplicates: false };

const messages: Record<JsonIssue['kind'], string> = {
  duplicate: REPEATED,
  text: UNSTORABLE,
  number: NOT_CARRIED,
  depth: TOO_DEEP,
};

function faultInText(text: string, exact: boolean): JsonFault | null {
  const issue = firstIssue(text, exact ? exactRules : storableRules);
  if (!issue) return null;
  const message = issue.kind === 'number' && !exact ? NOT_FINITE : messages[issue.kind];
  return { path: issue.path.join('.'), message };
}

/** Digits, sign, point and exponent; any other character ends the number. */
function endOfNumber(text: string, begin: number): number {
  let end = begin + 1;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    const part = code === 0x2b || code === MINUS || code === 0x2e || (code | 0x20) === 0x65;
    if (!part && (code < ZERO || code > NINE)) break;
  }
  return end;
}

/** A double reproduces every decimal with this many digits. */
const SAFE_DIGITS = 15;

const isShort = (literal: string) => literal.length <= SAFE_DIGITS && !/e/i.test(literal);

/** Whether a double represents the number exactly: as it is printed again, or to the last digit. */
export function isExactDouble(literal: string): boolean {
  if (isShort(literal)) return true;
  const value = Number(literal);
  if (!Number.isFinite(value)) return false;
  const sent = decimal(literal);
  return isSame(sent, decimal(String(value))) || isSame(sent, decimal(value.toPrecision(100)));
}

interface Decimal {
  /** Without leading and trailing zeros. */
  digits: string;
  exponent: number;
}

const isSame = (a: Decimal, b: Decimal) =>
  a.digits === b.digits && (a.digits === '' || a.exponent === b.exponent);

function decimal(literal: string): Decimal {
  const unsigned = literal.startsWith('-') ? literal.slice(1) : literal;
  const [mantissa, power = '0'] = unsigned.split(/e/i);
  const [whole, fraction = ''] = mantissa!.split('.');
  const all = whole! + fraction;
  let from = 0;
  while (all[from] === '0') from++;
  let to = all.length;
  while (to > from && all[to - 1] === '0') to--;
  return { digits: all.slice(from, to), exponent: Number(power) - fraction.length + (all.length - to) };
}
