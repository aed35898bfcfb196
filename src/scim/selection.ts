// Which attributes of a resource a response shows: `attributes` and `excludedAttributes` (RFC 7644, section 3.9).

import { readAttribute } from '../domain/scim/expression.ts';

/** Attributes by name in lower case. The value holds their parts; null stands for the whole attribute. */
type Names = ReadonlyMap<string, ReadonlySet<string> | null>;

export interface Selection {
  /** Only these; null for all. */
  only: Names | null;
  without: Names;
}

type Json = Readonly<Record<string, unknown>>;

/** Always returned. */
const ALWAYS = new Set(['schemas', 'id']);

export function selectionOf(query: URLSearchParams): Selection {
  const only = namesIn(query.get('attributes'));
  return { only: only.size > 0 ? only : null, without: namesIn(query.get('excludedAttributes')) };
}

/** Names that are none are ignored, like those of attributes that do not exist. */
function namesIn(list: string | null): Names {
  const names = new Map<string, Set<string> | null>();
  for (const text of (list ?? '').split(',').slice(0, 100)) {
    const attribute = readAttribute(text.trim());
    if (!attribute) continue;
    const { name, sub } = attribute;
    const parts = names.get(name);
    if (sub === null || parts === null) names.set(name, null);
    else names.set(name, new Set([...(parts ?? []), sub]));
  }
  return names;
}

/** Whether a response shows any part of an attribute. */
export function shows({ only, without }: Selection, attribute: string): boolean {
  const name = attribute.toLowerCase();
  return only ? only.has(name) : without.get(name) !== null;
}

export function selected(resource: Json, selection: Selection): Json {
  const { only, without } = selection;
  const entries = Object.entries(resource).flatMap(([key, value]): [string, unknown][] => {
    const name = key.toLowerCase();
    if (ALWAYS.has(name)) return [[key, value]];
    if (!shows(selection, name)) return [];
    const parts = only ? only.get(name) : without.get(name);
    if (!parts) return [[key, value]];
    return [[key, withParts(value, (part) => parts.has(part.toLowerCase()) === (only !== null))]];
  });
  return Object.fromEntries(entries);
}

function withParts(value: unknown, isShown: (part: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => withParts(each, isShown));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([part]) => isShown(part)));
}
