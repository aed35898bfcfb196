/**
 * JSON as RFC 8259 writes it and I-JSON (RFC 7493) narrows it: no name twice in one object, no half surrogate pairs, no number
 * that a double cannot carry. What two readers could read differently has no place in a proof.
 */
import type { JsonValue } from './canonical.ts';

/** Why a text is not JSON that everybody reads alike. */
export class JsonFault extends Error {
  /** Whether it is JSON at all, only ambiguous. */
  readonly isJson: boolean;

  constructor(message: string, isJson: boolean) {
    super(message);
    this.isJson = isJson;
  }
}

const DEEPEST = 64;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PLAIN_TEXT = /[ !#-[\]-\u{10ffff}]*/uy;
const SPACE = /[ \t\n\r]*/y;
const ESCAPES: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Whether a double keeps what is written. Of fractions the nearest double is meant, as everywhere. */
function isCarried(written: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  if (Number.isSafeInteger(value) || !/^-?\d+$/.test(written)) return true;
  return BigInt(written) === BigInt(value) || String(value) === written;
}

class Reader {
  readonly #text: string;
  #at = 0;
  /** The first ambiguity; kept until the text has turned out to be JSON at all. */
  ambiguity: string | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonValue {
    const value = this.#value(0);
    this.#space();
    if (this.#at < this.#text.length) throw this.#fault();
    return value;
  }

  #fault(): JsonFault {
    return new JsonFault('it is not JSON', false);
  }

  #ambiguous(words: string): void {
    this.ambiguity ??= words;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return null;
    this.#at += found[0].length;
    return found[0];
  }

  #space(): void {
    this.#match(SPACE);
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #value(depth: number): JsonValue {
    if (depth > DEEPEST) throw new JsonFault('it is nested too deeply', false);
    this.#space();
    const start = this.#text[this.#at];
    if (start === '{') return this.#object(depth);
    if (start === '[') return this.#list(depth);
    if (start === '"') return this.#string();
    for (const [word, value] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return this.#number();
  }

  #number(): number {
    const written = this.#match(NUMBER);
    if (written === null) throw this.#fault();
    const value = Number(written);
    if (!isCarried(written, value))
      this.#ambiguous(`the number ${written.slice(0, 40)} does not fit into a double`);
    return value;
  }

  #string(): string {
    if (!this.#take('"')) throw this.#fault();
    let text = '';
    for (;;) {
      text += this.#match(PLAIN_TEXT)!;
      if (this.#take('"')) break;
      if (!this.#take('\\')) throw this.#fault();
      text += this.#escaped();
    }
    if (!text.isWellFormed()) this.#ambiguous('a text holds half a surrogate pair');
    return text;
  }

  #escaped(): string {
    const letter = this.#text[this.#at++] ?? '';
    if (Object.hasOwn(ESCAPES, letter)) return ESCAPES[letter]!;
    const hex = this.#text.slice(this.#at, this.#at + 4);
    if (letter !== 'u' || !/^[0-9a-fA-F]{4}$/.test(hex)) throw this.#fault();
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(hex, 16));
  }

  #list(depth: number): JsonValue[] {
    this.#at++;
    const items: JsonValue[] = [];
    this.#space();
    if (this.#take(']')) return items;
    for (;;) {
      items.push(this.#value(depth + 1));
      this.#space();
      if (this.#take(']')) return items;
      if (!this.#take(',')) throw this.#fault();
    }
  }

  #object(depth: number): JsonValue {
    this.#at++;
    // Without a prototype, a member named __proto__ is a member like any other.
    const members = new Map<string, JsonValue>();
    this.#space();
    if (this.#take('}')) return {};
    for (;;) {
      this.#space();
      const name = this.#string();
      this.#space();
      if (!this.#take(':')) throw this.#fault();
      const value = this.#value(depth + 1);
      if (members.has(name)) this.#ambiguous(`the member ${[...name].slice(0, 100).join('')} is there twice`);
      members.set(name, value);
      this.#space();
      if (this.#take('}')) return Object.fromEntries(members);
      if (!this.#take(',')) throw this.#fault();
    }
  }
}

/** The value of a JSON text, and what is ambiguous about it; of a member that is there twice the last. Throws for what is no JSON. */
export function readJson(text: string): { value: JsonValue; ambiguity: string | null } {
  const reader = new Reader(text);
  const value = reader.document();
  return { value, ambiguity: reader.ambiguity };
}

/** Throws a JsonFault for anything that is not JSON, or that two readers could take for two things. */
export function parseStrictJson(text: string): JsonValue {
  const { value, ambiguity } = readJson(text);
  if (ambiguity !== null) throw new JsonFault(ambiguity, true);
  return value;
}
