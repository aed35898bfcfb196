/**
 * JSON as RFC 8259 writes it and I-JSON (RFC 7493) narrows it: no duplicate keys, no half surrogate pairs, no number that a
 * double cannot represent. Proofs are read with the rules of the proof format, request bodies with those of the API.
 */
import type { JsonValue } from './canonical.ts';

/** Why a text is not JSON that every parser reads the same way. */
export class JsonFault extends Error {
  /** Whether it is valid JSON that is merely ambiguous. */
  readonly isJson: boolean;

  constructor(message: string, isJson: boolean) {
    super(message);
    this.isJson = isJson;
  }
}

/** Something in a JSON text that its value does not show, or that a rule forbids. */
export interface JsonIssue {
  kind: 'duplicate' | 'text' | 'number' | 'depth';
  path: readonly (string | number)[];
  /** The name or the number as it was written. */
  written: string;
}

export interface JsonRules {
  /** The root has depth 0. */
  isTooDeep(depth: number, isContainer: boolean): boolean;
  acceptsText(text: string): boolean;
  acceptsNumber(written: string, value: number): boolean;
  acceptsDuplicates: boolean;
}

const DEEPEST = 64;

/** The rules of docs/proof-format.md. */
const proofRules: JsonRules = {
  isTooDeep: (depth) => depth > DEEPEST,
  acceptsText: (text) => text.isWellFormed(),
  acceptsNumber: isExactDouble,
  acceptsDuplicates: false,
};

/** Whether a double preserves the written number. For fractions, the nearest double counts. */
function isExactDouble(written: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  if (Number.isSafeInteger(value) || !/^-?\d+$/.test(written)) return true;
  return BigInt(written) === BigInt(value) || String(value) === written;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;
const WORDS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;

const notJson = () => new JsonFault('it is not JSON', false);

/** The position of the closing quote of the string that begins here; -1 if there is none. */
export function endOfString(text: string, begin: number): number {
  let end = text.indexOf('"', begin + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

class Reader {
  readonly #text: string;
  readonly #rules: JsonRules;
  #at = 0;
  readonly #path: (string | number)[] = [];
  /** The first issue; reported only if the text is JSON at all. */
  issue: JsonIssue | null = null;

  constructor(text: string, rules: JsonRules) {
    this.#text = text;
    this.#rules = rules;
  }

  document(): JsonValue {
    const value = this.#value(0);
    this.#space();
    if (this.#at < this.#text.length) throw notJson();
    return value;
  }

  #note(kind: JsonIssue['kind'], written = ''): void {
    this.issue ??= { kind, path: [...this.#path], written };
  }

  #space(): void {
    if (this.#text.charCodeAt(this.#at) > 0x20) return;
    SPACE.lastIndex = this.#at;
    SPACE.test(this.#text);
    this.#at = SPACE.lastIndex;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #value(depth: number): JsonValue {
    this.#space();
    const start = this.#text[this.#at];
    const isContainer = start === '{' || start === '[';
    if (this.#rules.isTooDeep(depth, isContainer)) throw this.#tooDeep();
    if (start === '{') return this.#object(depth);
    if (start === '[') return this.#list(depth);
    if (start === '"') return this.#checked(this.#string());
    for (const [word, value] of WORDS) {
      if (start !== word[0] || !this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    return this.#number();
  }

  #tooDeep(): JsonFault {
    this.#note('depth');
    return new JsonFault('it is nested too deeply', false);
  }

  #number(): number {
    NUMBER.lastIndex = this.#at;
    if (!NUMBER.test(this.#text)) throw notJson();
    const written = this.#text.slice(this.#at, NUMBER.lastIndex);
    this.#at = NUMBER.lastIndex;
    const value = Number(written);
    if (!this.#rules.acceptsNumber(written, value)) this.#note('number', written);
    return value;
  }

  #string(): string {
    if (this.#text[this.#at] !== '"') throw notJson();
    const end = endOfString(this.#text, this.#at);
    const literal = this.#text.slice(this.#at, end + 1);
    this.#at = end + 1;
    return unquoted(literal);
  }

  #checked(text: string): string {
    if (!this.#rules.acceptsText(text)) this.#note('text');
    return text;
  }

  #list(depth: number): JsonValue[] {
    this.#at++;
    const items: JsonValue[] = [];
    this.#space();
    if (this.#take(']')) return items;
    for (;;) {
      this.#path.push(items.length);
      items.push(this.#value(depth + 1));
      this.#path.pop();
      this.#space();
      if (this.#take(']')) return items;
      if (!this.#take(',')) throw notJson();
    }
  }

  #object(depth: number): JsonValue {
    this.#at++;
    // Without a prototype, __proto__ is a member like any other.
    const members = new Map<string, JsonValue>();
    this.#space();
    if (this.#take('}')) return {};
    for (;;) {
      this.#space();
      const name = this.#string();
      this.#path.push(name);
      this.#checked(name);
      this.#space();
      if (!this.#take(':')) throw notJson();
      const value = this.#value(depth + 1);
      if (members.has(name) && !this.#rules.acceptsDuplicates) this.#note('duplicate', name);
      this.#path.pop();
      members.set(name, value);
      this.#space();
      if (this.#take('}')) return Object.fromEntries(members);
      if (!this.#take(',')) throw notJson();
    }
  }
}

function unquoted(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    throw notJson();
  }
}

/** The first issue of a text that JSON.parse accepts. */
export function firstIssue(text: string, rules: JsonRules): JsonIssue | null {
  const reader = new Reader(text, rules);
  try {
    reader.document();
  } catch (fault) {
    if (reader.issue === null) throw fault;
  }
  return reader.issue;
}

/**
 * The value of a proof's text, and what is ambiguous about it; of duplicate keys the last one counts. Throws a JsonFault for
 * invalid JSON.
 */
export function readJson(text: string): { value: JsonValue; ambiguity: string | null } {
  const reader = new Reader(text, proofRules);
  const value = reader.document();
  return { value, ambiguity: reader.issue && ambiguityText(reader.issue) };
}

function ambiguityText({ kind, written }: JsonIssue): string {
  if (kind === 'duplicate') return `the member ${[...written].slice(0, 100).join('')} is there twice`;
  if (kind === 'text') return 'a text holds half a surrogate pair';
  return `the number ${written.slice(0, 40)} does not fit into a double`;
}

/** Throws a JsonFault for invalid or ambiguous JSON. */
export function parseStrictJson(text: string): JsonValue {
  const { value, ambiguity } = readJson(text);
  if (ambiguity !== null) throw new JsonFault(ambiguity, true);
  return value;
}
