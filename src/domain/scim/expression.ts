// The part of SCIM's grammar (RFC 7644, figures 1 and 7) that filters and paths share: attribute names, `eq` and `and`. The text
// is read once from left to right. There is no grouping, so nothing recurs and the work is bounded by the length.

/** More than any directory sends. */
export const MAX_EXPRESSION = 1_000;

/** An attribute as a path or a key names it, in lower case: names have no case. */
export interface AttributeName {
  /** The schema before the name; null if none was given. */
  schema: string | null;
  name: string;
  sub: string | null;
}

export type Literal = string | number | boolean | null;

/** `attribute eq value`. */
export interface Comparison {
  attribute: AttributeName;
  value: Literal;
}

/** `attribute[a eq 1 and b eq 2].sub`; `where` is null without brackets. */
export interface ValuePath {
  attribute: AttributeName;
  where: Comparison[] | null;
}

type Token =
  | { kind: 'name'; text: string }
  | { kind: 'literal'; value: Literal }
  | { kind: 'open' | 'close'; text: string };

/** A name begins with a letter, so that no path reaches `__proto__`. `$ref` is the only name with a dollar sign. */
const NAME = /^(?:[A-Za-z][\w-]*|\$ref)$/;
const WORD = /[A-Za-z$_][\w:.$-]*/y;
const TEXT = /"(?:[^"\\]|\\.)*"/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACES = / +/y;
const WORD_LITERALS = new Map<string, Literal>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** The attribute that a name, a dotted name or a name with its schema stands for; null if it is no name. */
export function readAttribute(text: string): AttributeName | null {
  if (text.length > MAX_EXPRESSION) return null;
  const cut = /^urn:/i.test(text) ? text.lastIndexOf(':') : -1;
  const [name = '', sub, ...rest] = text.slice(cut + 1).split('.');
  if (rest.length > 0 || !NAME.test(name) || (sub !== undefined && !NAME.test(sub))) return null;
  return {
    schema: cut < 0 ? null : text.slice(0, cut).toLowerCase(),
    name: name.toLowerCase(),
    sub: sub?.toLowerCase() ?? null,
  };
}

/** The tokens of an expression; null if a part of it is none. */
function tokensOf(text: string): Token[] | null {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  while (at < text.length) {
    if (take(SPACES)) continue;
    if (text[at] === '[' || text[at] === ']') {
      tokens.push({ kind: text[at] === '[' ? 'open' : 'close', text: text[at]! });
      at++;
      continue;
    }
    // What follows a bracket: `emails[type eq "work"].value`.
    if (text[at] === '.' && tokens.at(-1)?.kind === 'close') {
      at++;
      const sub = take(WORD);
      if (sub === undefined || at < text.length) return null;
      tokens.push({ kind: 'name', text: `.${sub}` });
      continue;
    }
    const quoted = take(TEXT);
    const number = quoted === undefined ? take(NUMBER) : undefined;
    const word = quoted === undefined && number === undefined ? take(WORD) : undefined;
    const literal = quoted ?? number;
    if (literal !== undefined) {
      const value = jsonLiteral(literal);
      if (value === undefined) return null;
      tokens.push({ kind: 'literal', value });
    } else if (word !== undefined) tokens.push({ kind: 'name', text: word });
    else return null;
  }
  return tokens;
}

function jsonLiteral(text: string): Literal | undefined {
  try {
    return JSON.parse(text) as Literal;
  } catch {
    return undefined;
  }
}

/** Reads the tokens of one expression in order. Every method returns null where the grammar is not met. */
class Reader {
  readonly #tokens: Token[];
  #at = 0;

  constructor(tokens: Token[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  next(kind: 'open' | 'close'): boolean {
    const isNext = this.#tokens[this.#at]?.kind === kind;
    if (isNext) this.#at++;
    return isNext;
  }

  keyword(word: string): boolean {
    const token = this.#tokens[this.#at];
    const isNext = token?.kind === 'name' && token.text.toLowerCase() === word;
    if (isNext) this.#at++;
    return isNext;
  }

  attribute(): AttributeName | null {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'name') return null;
    this.#at++;
    return readAttribute(token.text);
  }

  /** The name after a closing bracket and a dot. */
  subAttribute(): string | null {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'name' || !token.text.startsWith('.') || !NAME.test(token.text.slice(1))) return null;
    this.#at++;
    return token.text.slice(1).toLowerCase();
  }

  literal(): Literal | undefined {
    const token = this.#tokens[this.#at++];
    if (token?.kind === 'literal') return token.value;
    return token?.kind === 'name' ? WORD_LITERALS.get(token.text.toLowerCase()) : undefined;
  }

  /** `a eq 1 and b eq 2 …` up to the end or a closing bracket. */
  comparisons(): Comparison[] | null {
    const found: Comparison[] = [];
    do {
      const attribute = this.attribute();
      if (!attribute || !this.keyword('eq')) return null;
      const value = this.literal();
      if (value === undefined) return null;
      found.push({ attribute, value });
    } while (this.keyword('and'));
    return found;
  }
}

function readerOf(text: string): Reader | null {
  if (text.length > MAX_EXPRESSION) return null;
  const tokens = tokensOf(text);
  return tokens && new Reader(tokens);
}

/** The comparisons of a filter, all of which must hold; null if it has another form. `x[value eq 1]` becomes `x.value eq 1`. */
export function readFilter(text: string): Comparison[] | null {
  const reader = readerOf(text);
  if (!reader) return null;
  const found: Comparison[] = [];
  do {
    const attribute = reader.attribute();
    if (!attribute) return null;
    if (reader.next('open')) {
      const within = reader.comparisons();
      const [only] = within ?? [];
      if (attribute.sub !== null || within?.length !== 1 || !reader.next('close')) return null;
      const { schema, name, sub } = only!.attribute;
      if (schema !== null || sub !== null) return null;
      found.push({ attribute: { ...attribute, sub: name }, value: only!.value });
    } else {
      if (!reader.keyword('eq')) return null;
      const value = reader.literal();
      if (value === undefined) return null;
      found.push({ attribute, value });
    }
  } while (reader.keyword('and'));
  return reader.isAtEnd ? found : null;
}

/** The target of a PATCH operation; null if the path has another form. */
export function readPath(text: string): ValuePath | null {
  const reader = readerOf(text);
  const attribute = reader?.attribute();
  if (!reader || !attribute) return null;
  if (reader.isAtEnd) return { attribute, where: null };
  if (attribute.sub !== null || !reader.next('open')) return null;
  const where = reader.comparisons();
  if (!where || !reader.next('close')) return null;
  const sub = reader.isAtEnd ? null : reader.subAttribute();
  return reader.isAtEnd ? { attribute: { ...attribute, sub }, where } : null;
}
