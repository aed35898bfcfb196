/**
 * RFC 8785, the JSON Canonicalization Scheme: one JSON value has exactly one text, so its hash means something.
 *
 * ECMAScript's own number and string forms are those the RFC prescribes; what remains is the order of keys (by UTF-16
 * code units, which is how JavaScript compares strings) and refusing what I-JSON cannot carry.
 */

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [key: string]: JsonValue | undefined };

/** ASCII with nothing to escape, which is what most keys and many values are: they need no second look. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

function canonicalString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError('text holds half a surrogate pair, which has no UTF-8 form');
  return JSON.stringify(text);
}

function canonicalObject(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) {
    throw new TypeError('only plain objects, arrays and primitive values have a canonical form');
  }
  let members = '';
  for (const key of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    members += `${members && ','}${canonicalString(key)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

/** Members whose value is undefined are left out, as JSON.stringify does; anything else that is not JSON throws. */
export function canonicalJson(value: JsonValue): string;
export function canonicalJson(value: unknown): string;
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return canonicalString(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('JSON has no NaN and no infinity');
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${Array.from(value, (item: unknown) => canonicalJson(item)).join(',')}]`;
  if (typeof value === 'object') return canonicalObject(value);
  throw new TypeError(`a value of type ${typeof value} is not JSON`);
}
