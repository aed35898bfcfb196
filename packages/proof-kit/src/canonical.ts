/**
 * RFC 8785, the JSON Canonicalization Scheme: each JSON value has exactly one text, so its hash is well defined. ECMAScript's
 * number and string forms are those of the RFC. What remains is to sort keys (by UTF-16 code units, as JavaScript compares
 * strings) and to reject what I-JSON cannot represent.
 */
import { sortTexts } from './sort-texts.ts';

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [key: string]: JsonValue | undefined };

/** ASCII without characters to escape, which covers most keys and many values: these need no further check. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

function canonicalString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError('text holds half a surrogate pair, which has no UTF-8 form');
  return JSON.stringify(text);
}

function writeObject(value: object): string {
  if (!isPlain(value)) {
    throw new TypeError('only plain objects, arrays and primitive values have a canonical form');
  }
  let members = '';
  for (const key of sortTexts(Object.keys(value))) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    if (members) members += ',';
    members += `${canonicalString(key)}:${write(member)}`;
  }
  return `{${members}}`;
}

function writeArray(items: readonly unknown[]): string {
  let text = '';
  for (let i = 0; i < items.length; i++) text += (i > 0 ? ',' : '') + write(items[i]);
  return `[${text}]`;
}

function write(value: unknown): string {
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
      return Array.isArray(value) ? writeArray(value) : writeObject(value);
    default:
      throw new TypeError(`a value of type ${typeof value} is not JSON`);
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** Whether every object has its keys in canonical order already, and nothing must be rejected. */
function isInOrder(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed();
    case 'number':
      return Number.isFinite(value);
    case 'boolean':
      return true;
    case 'object':
      if (value === null) return true;
      return Array.isArray(value) ? areItemsInOrder(value) : areMembersInOrder(value);
    default:
      return false;
  }
}

function areItemsInOrder(items: readonly unknown[]): boolean {
  for (let i = 0; i < items.length; i++) if (!isInOrder(items[i])) return false;
  return true;
}

function areMembersInOrder(value: object): boolean {
  if (!isPlain(value)) return false;
  let before = '';
  for (const key in value) {
    if (key < before || !key.isWellFormed()) return false;
    before = key;
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined && !isInOrder(member)) return false;
  }
  return true;
}

/**
 * Members whose value is undefined are omitted, as by JSON.stringify; anything else that is not JSON throws. Values that are
 * already in order, like sealed content, take three quarters of the time and a ninth of the garbage
 * (docs/decisions/0006-members-in-canonical-order.md).
 */
export function canonicalJson(value: JsonValue): string;
export function canonicalJson(value: unknown): string;
export function canonicalJson(value: unknown): string {
  return isInOrder(value) ? JSON.stringify(value) : write(value);
}
