/**
 * Sealed objects, described member by member (the tables are in decision.ts), and what follows from a description: how an object
 * is sealed, which form it then has, and which values it accepts.
 *
 * A public member is sealed in plain text. A disclosable one is sealed as the digest of a salted disclosure, in `_sd` of the
 * object it belongs to, so that it can be shown, withheld or erased later without breaking the seal.
 */
import type { JsonValue } from './canonical.ts';
import { disclosureDigest, makeDisclosure, type SealTools } from './disclosure.ts';
import { type Accepted, digest, type Form, listOf, objectOf } from './form.ts';
import { sortTexts } from './sort-texts.ts';

/** The definition of a member in the JSON-LD context. */
export type Term = string | { [keyword: string]: unknown };

export interface PublicMember<F extends Form = Form> {
  kind: 'public';
  form: F;
  /** `countersign:` and the name if left out; null if the context defines the name for all objects. */
  term?: Term | null;
}

export interface DisclosableMember<F extends Form = Form, P = 'always' | 'maybe'> {
  kind: 'disclosable';
  form: F;
  /** Whether every object has it. */
  presence: P;
  /** How pages name it: what it belongs to, and what it is. */
  label: readonly [subject: string, name: string];
  term?: Term | null;
  /** Stored apart from the other members, so that lists need not read it. */
  large?: boolean;
  /** The objects that have it, by their public members; all if left out. */
  appliesTo?: (owner: Members) => boolean;
  /** The same in words, for the format document. */
  condition?: string;
}

export interface ObjectMember<T extends Table = Table> {
  kind: 'object';
  table: T;
  term: Term;
}

export interface Optional<M> {
  kind: 'optional';
  member: M;
}

type Required = PublicMember | DisclosableMember | ObjectMember;
export type Table = { readonly [name: string]: Required | Optional<PublicMember | ObjectMember> };
type Members = { readonly [name: string]: unknown };

export const open = <F extends Form>(form: F, term?: Term | null): PublicMember<F> => ({
  kind: 'public',
  form,
  ...(term !== undefined && { term }),
});
type Details = Omit<DisclosableMember, 'kind' | 'form' | 'presence'>;
export const always = <F extends Form>(form: F, details: Details): DisclosableMember<F, 'always'> => ({
  kind: 'disclosable',
  form,
  presence: 'always',
  ...details,
});
export const maybe = <F extends Form>(form: F, details: Details): DisclosableMember<F, 'maybe'> => ({
  ...always(form, details),
  presence: 'maybe',
});
/** Sealed in exactly those objects to which it applies. */
export const when = <F extends Form>(
  condition: string,
  appliesTo: (owner: Members) => boolean,
  form: F,
  details: Details,
): DisclosableMember<F, 'maybe'> =>
  ({ ...always(form, { ...details, condition, appliesTo }) }) as unknown as DisclosableMember<F, 'maybe'>;
export const object = <T extends Table>(table: T, term: Term): ObjectMember<T> => ({
  kind: 'object',
  table,
  term,
});
export const optional = <M extends PublicMember | ObjectMember>(member: M): Optional<M> => ({
  kind: 'optional',
  member,
});

type ValueOf<M> =
  M extends PublicMember<infer F>
    ? Accepted<F>
    : M extends DisclosableMember<infer F>
      ? Accepted<F>
      : M extends ObjectMember<infer T>
        ? Plain<T>
        : M extends Optional<infer N>
          ? ValueOf<N>
          : never;
type MayLack<M> =
  M extends Optional<unknown> ? true : M extends DisclosableMember<Form, 'maybe'> ? true : false;

/** The values of an object, disclosable ones in plain text. A member that was erased is missing. */
export type Plain<T extends Table> = {
  -readonly [Name in keyof T as MayLack<T[Name]> extends true ? never : Name]: ValueOf<T[Name]>;
} & { -readonly [Name in keyof T as MayLack<T[Name]> extends true ? Name : never]?: ValueOf<T[Name]> };

type SealedValueOf<M> =
  M extends PublicMember<infer F>
    ? Accepted<F>
    : M extends ObjectMember<infer T>
      ? Sealed<T>
      : M extends Optional<infer N>
        ? SealedValueOf<N>
        : never;

/** An object as it is sealed. */
export type Sealed<T extends Table> = {
  -readonly [Name in keyof T as T[Name] extends PublicMember | ObjectMember ? Name : never]: SealedValueOf<
    T[Name]
  >;
} & {
  -readonly [Name in keyof T as T[Name] extends Optional<unknown> ? Name : never]?: SealedValueOf<T[Name]>;
} & { _sd?: string[] };

export interface Disclosable extends DisclosableMember {
  name: string;
  /** Its name with the prefix of its object: `action.input`, `approvals.reason`. */
  path: string;
}

/** A member that is sealed under its name: a public value, or a nested object. */
interface Visible {
  name: string;
  isOptional: boolean;
  term?: Term | null;
  nested: SealedObject | undefined;
}

const MAX_DIGESTS = 100;

/** Digests in ascending order without duplicates: their order must not reveal what they represent. */
const digests: Form<string[]> = (value, path) => {
  const found = listOf(digest, MAX_DIGESTS, 1)(value, path);
  if (found !== null) return found;
  const list = value as string[];
  for (let i = 1; i < list.length; i++) if (list[i - 1]! >= list[i]!) return `${path} is not sorted`;
  return null;
};

/** Disclosures by path. Deleting one withholds that member forever. */
export type Disclosures = { [path: string]: string };

/** A table made ready for use. */
export class SealedObject<T extends Table = Table> {
  readonly prefix: string;
  readonly visible: Visible[] = [];
  readonly disclosables: Disclosable[] = [];
  /** Paths of all disclosable members, those of nested objects included, in the order of the table. */
  readonly paths: Disclosable[] = [];
  /** The forms of public members and nested objects; names of optional ones end in a question mark. */
  readonly forms: Record<string, Form> = {};
  /** The form of the sealed object. */
  readonly form: Form<Sealed<T>>;
  /** Names of public members and nested objects in canonical order, which makes serialization cheap. */
  readonly #names: string[];

  /** `prefix` precedes the names of members in paths: empty, or ending in a dot. */
  constructor(prefix: string, table: T) {
    this.prefix = prefix;
    for (const [name, entry] of Object.entries(table)) {
      const isOptional = entry.kind === 'optional';
      const member = isOptional ? entry.member : entry;
      if (member.kind === 'disclosable') {
        const disclosable = { ...member, name, path: prefix + name };
        this.disclosables.push(disclosable);
        this.paths.push(disclosable);
        continue;
      }
      const nested =
        member.kind === 'object' ? new SealedObject(`${prefix}${name}.`, member.table) : undefined;
      this.visible.push({ name, isOptional, ...('term' in member && { term: member.term }), nested });
      this.paths.push(...(nested?.paths ?? []));
      this.forms[isOptional ? `${name}?` : name] = nested?.form ?? (member as PublicMember).form;
    }
    this.form = objectOf({ ...this.forms, '_sd?': digests }) as Form<Sealed<T>>;
    this.#names = this.visible.map(({ name }) => name).sort();
  }

  /** The disclosable members that an object with these public members can have. */
  disclosablesOf(owner: object): Disclosable[] {
    return this.disclosables.filter(({ appliesTo }) => appliesTo?.(owner as Members) ?? true);
  }

  /** Draws the salts. Absent and null members are not sealed. */
  seal(plain: Plain<T>, tools: SealTools): { sealed: Sealed<T>; disclosures: Disclosures } {
    const disclosures: Disclosures = {};
    return { sealed: this.#seal(plain, tools, disclosures) as Sealed<T>, disclosures };
  }

  /** Salts are drawn for required objects, then for own members, then for optional objects: the vectors depend on it. */
  #seal(plain: Members, tools: SealTools, disclosures: Disclosures): object {
    const parts: { [name: string]: unknown } = {};
    this.#sealChildren(false, plain, parts, tools, disclosures);
    const own: string[] = [];
    for (const { name, path } of this.disclosables) {
      const value = plain[name];
      if (value === undefined || value === null) continue;
      const disclosure = makeDisclosure(tools.salt(path), name, value as JsonValue, tools.encode);
      disclosures[path] = disclosure;
      own.push((tools.digest ?? disclosureDigest)(disclosure));
    }
    this.#sealChildren(true, plain, parts, tools, disclosures);
    const sealed: { [name: string]: unknown } = {};
    if (own.length > 0) sealed['_sd'] = sortTexts(own);
    for (const name of this.#names) {
      const value = parts[name] ?? plain[name];
      if (value !== undefined && value !== null) sealed[name] = value;
    }
    return sealed;
  }

  #sealChildren(
    isOptional: boolean,
    plain: Members,
    parts: { [name: string]: unknown },
    tools: SealTools,
    disclosures: Disclosures,
  ): void {
    for (const { name, nested, isOptional: mayLack } of this.visible) {
      const value = plain[name];
      if (!nested || mayLack !== isOptional || value === undefined || value === null) continue;
      parts[name] = nested.#seal(value as Members, tools, disclosures);
    }
  }

  /** The first fault in disclosable values, before they are sealed. */
  fault(plain: object): string | null {
    const values = plain as Members;
    for (const { name, path, form, presence } of this.disclosablesOf(values)) {
      const value = values[name];
      const isMissing = value === undefined || value === null;
      if (isMissing && presence === 'always') return `${path} is missing`;
      const found = isMissing ? null : form(value, path);
      if (found !== null) return found;
    }
    for (const { name, nested } of this.visible) {
      const found = nested && values[name] ? nested.fault(values[name]) : null;
      if (found !== null) return found;
    }
    return null;
  }
}
