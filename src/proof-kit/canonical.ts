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

/** So many keys are sorted faster one by one than by calling for help. */
const FEW = 16;

function canonicalString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError('text holds half a surrogate pair, which has no UTF-8 form');
  return JSON.stringify(text);
}

/** In place and without a second list: objects have few keys, and most of them nearly in order. */
function sorted(keys: string[]): string[] {
  if (keys.length > FEW) return keys.sort();
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i]!;
    let at = i;
    for (; at > 0 && keys[at - 1]! > key; at--) keys[at] = keys[at - 1]!;
    keys[at] = key;
  }
  return keys;
}

function canonicalObject(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) {
    throw new TypeError('only plain objects, arrays and primitive values have a canonical form');
  }
  let members = '';
  for (const key of sorted(Object.keys(value))) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    if (members) members += ',';
    members += `${canonicalString(key)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

function canonicalArray(items: readonly unknown[]): string {
  let text = '';
  for (let i = 0; i < items.length; i++) text += (i > 0 ? ',' : '') + canonicalJson(items[i]);
  return `[${text}]`;
}

/** Members whose value is undefined are left out, as JSON.stringify does; anything else that is not JSON throws. */
export function canonicalJson(value: JsonValue): string;
export function canonicalJson(value: unknown): string;
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return canonicalString(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('JSON has no NaN and no infinity');
      return String(value);
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? canonicalArray(value) : canonicalObject(value);
    default:
      throw new TypeError(`a value of type ${typeof value} is not JSON`);
  }
}
