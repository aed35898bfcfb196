/** Reads sealed content: its canonical text, the disclosures that belong to it, and what is withheld. */
import { canonicalJson, type JsonValue } from './canonical.ts';
import { type Disclosure, disclosureDigest, parseDisclosure } from './disclosure.ts';
import type { Form } from './form.ts';
import type { Plain, SealedObject, Table } from './sealed-object.ts';
import { JsonFault, parseStrictJson } from './strict-json.ts';

/** A fault in a proof, described in a clause. */
export class Refutation extends Error {}

/** Something that this runtime or verifier cannot check: `Ed25519 signatures`. */
export class CannotCheck extends Error {}

/** Reads canonical JSON of a form; `what` and `kind` are names for people. */
export function readContent<T>(text: string, what: string, kind: string, form: Form<T>): T {
  const value = readCanonical(text, what);
  const found = form(value, '');
  if (found !== null) throw new Refutation(`${what} is no ${kind}: ${found.trim()}`);
  return value as T;
}

/** Two spellings of the same data could be read in two ways; a sealed text has only one. */
function readCanonical(text: string, what: string): JsonValue {
  let value: JsonValue;
  try {
    value = parseStrictJson(text);
  } catch (error) {
    if (error instanceof JsonFault && error.isJson) throw new Refutation(`${what}: ${error.message}`);
    throw new Refutation(`${what} is not JSON`);
  }
  if (canonicalJson(value) !== text) throw new Refutation(`${what} is not canonical JSON`);
  return value;
}

interface Given extends Disclosure {
  text: string;
  /** Its index in the given list. */
  place: string;
  isUsed: boolean;
}

/** Finds disclosures by their digests; each must be used exactly once. */
export class DisclosureSet {
  readonly #byDigest = new Map<string, Given>();
  readonly #seen = new Set<string>();

  constructor(list: readonly string[], path = 'disclosures') {
    list.forEach((text, i) => {
      const place = `${path}[${i}]`;
      let disclosure: Disclosure;
      try {
        disclosure = parseDisclosure(text);
      } catch {
        throw new Refutation(`${place} is no disclosure`);
      }
      const digest = disclosureDigest(text);
      if (this.#byDigest.has(digest)) throw new Refutation(`${place} is there twice`);
      this.#byDigest.set(digest, { ...disclosure, text, place, isUsed: false });
    });
  }

  take(digest: string): Given | undefined {
    if (this.#seen.has(digest)) throw new Refutation('a digest stands in the sealed content twice');
    this.#seen.add(digest);
    const found = this.#byDigest.get(digest);
    if (found) found.isUsed = true;
    return found;
  }

  requireAllUsed(): void {
    for (const { isUsed, place } of this.#byDigest.values())
      if (!isUsed) throw new Refutation(`${place} belongs to nothing that was sealed`);
  }
}

/** A member that a digest can represent. */
interface Openable {
  name: string;
  form: Form;
  presence: 'always' | 'maybe';
}

export interface Opened {
  /** The digests that are not disclosed. */
  closed: string[];
  shown: { [name: string]: JsonValue };
  texts: { [name: string]: string };
  withheld: Withheld;
}

/** The disclosed members of one object. `prefix` precedes the names of its members. */
export function open(
  object: { _sd?: string[] },
  members: readonly Openable[],
  prefix: string,
  disclosures: DisclosureSet,
): Opened {
  const shown: Opened['shown'] = {};
  const texts: Opened['texts'] = {};
  const closed: string[] = [];
  for (const digest of object._sd ?? []) {
    const given = disclosures.take(digest);
    if (!given) {
      closed.push(digest);
      continue;
    }
    const member = members.find(({ name }) => name === given.name);
    if (!member) throw new Refutation(`${given.place} discloses ${prefix}${given.name}, which is unknown`);
    if (Object.hasOwn(shown, given.name)) throw new Refutation(`${prefix}${given.name} is disclosed twice`);
    const found = member.form(given.value, prefix + given.name);
    if (found !== null) throw new Refutation(`${given.place}: ${found}`);
    shown[given.name] = given.value;
    texts[given.name] = given.text;
  }
  return { shown, texts, closed, withheld: withheldOf(closed.length, members, prefix, shown) };
}

function withheldOf(
  count: number,
  members: readonly Openable[],
  prefix: string,
  shown: { [name: string]: JsonValue },
): Withheld {
  const rest = members.filter(({ name }) => !Object.hasOwn(shown, name));
  const named = (presence: Openable['presence']) =>
    rest.filter((member) => member.presence === presence).map(({ name }) => prefix + name);
  const certain = named('always');
  const possible = named('maybe');
  if (certain.length > count) throw new Refutation(`${certain[0]} was not sealed`);
  if (count > certain.length + possible.length)
    throw new Refutation(
      `more was sealed than the format knows, beside ${prefix}${members[0]?.name ?? 'kind'}`,
    );
  if (count === certain.length + possible.length)
    return { count, certain: [...certain, ...possible], possible: [] };
  return { count, certain, possible: count === certain.length ? [] : possible };
}

/** What an object and its nested objects show. */
export interface OpenedTree<T extends Table> {
  shown: Plain<T>;
  /** For each object that withholds something: itself first, then nested ones. */
  withheld: Withheld[];
  /** The disclosures that were used, by path. */
  texts: { [path: string]: string };
  /** The digests that are not disclosed, by the prefix of their object. */
  closed: { [prefix: string]: string[] };
}

/** The disclosed members of a sealed object and of the objects in it. */
export function openTree<T extends Table>(
  table: SealedObject<T>,
  sealed: object,
  disclosures: DisclosureSet,
): OpenedTree<T> {
  const { prefix } = table;
  const members = sealed as { [name: string]: JsonValue } & { _sd?: string[] };
  const own = open(members, table.disclosablesOf(sealed), prefix, disclosures);
  const withheld = own.withheld.count > 0 ? [own.withheld] : [];
  const texts = Object.fromEntries(Object.entries(own.texts).map(([name, text]) => [prefix + name, text]));
  const closed = { [prefix]: own.closed };
  const shown: { [name: string]: unknown } = {};
  for (const { name, nested } of table.visible) {
    const value = members[name];
    if (value === undefined) continue;
    shown[name] = value;
    if (!nested) continue;
    const inner = openTree(nested, value as object, disclosures);
    shown[name] = inner.shown;
    withheld.push(...inner.withheld);
    Object.assign(texts, inner.texts);
    Object.assign(closed, inner.closed);
  }
  return { shown: { ...shown, ...own.shown } as Plain<T>, withheld, texts, closed };
}

/** Members of one object that are sealed and not disclosed: a number of digests, which represent some of these paths. */
export interface Withheld {
  count: number;
  /** Paths that are certainly withheld. */
  certain: string[];
  /** Paths of which the remaining digests represent some. */
  possible: string[];
}

/**
 * A description of what is withheld: `actor.name, 1 of action.input and action.output`. With several approvals each path is
 * named once.
 */
export function withheldNames(withheld: readonly Withheld[]): string[] {
  const names = new Set<string>();
  for (const { count, certain, possible } of withheld) {
    for (const path of certain) names.add(path);
    const open = count - certain.length;
    if (open > 0) names.add(`${open} of ${possible.join(' and ')}`);
  }
  return [...names];
}
