import type { IdPrefix } from '../lib/ids.ts';
import type { JsonFault } from '../lib/json-faults.ts';

/** What is told of a text that is none of a list's own cursors: made up, cut off, or from another list. */
export const noCursor = (path: string): JsonFault => ({ path, message: 'is not a valid cursor for this list' });

/** The arguments of a connection that take cursors. */
export const CURSOR_ARGUMENTS = ['after', 'before'] as const;

const idOf = (prefix: IdPrefix) => `${prefix}_[\\w-]{1,60}`;

/** Whether a text can be the id of such a thing. */
export function isIdOf(prefix: IdPrefix, text: string): boolean {
  return new RegExp(`^${idOf(prefix)}$`).test(text);
}

/** A part of a key: an id, or a number that a column of 32 bits holds. */
type KeyPart = IdPrefix | 'number';

interface PrismaKey {
  pattern: RegExp;
  /** What says whose list it is, where the key begins with that id: the parent object, or an argument. */
  owner: 'parent' | { argument: string } | null;
}

/**
 * The Prisma plugin wraps the key of a row into base64 and takes any key of any type back. So each of its lists says
 * which keys it has: `extensions: keyedBy('whk')`, or with several parts, the first of which is the id of the parent.
 */
export function keyedBy(...parts: KeyPart[]): { prismaKey: PrismaKey } {
  const chunks = parts.map((part) => (part === 'number' ? 'N:\\d{1,9}' : `S:${idOf(part)}`));
  const key = parts.length === 1 ? chunks[0] : `T:\\[${chunks.map((chunk) => `"(${chunk})"`).join(',')}\\]`;
  return { prismaKey: { pattern: new RegExp(`^GPC:${key}$`), owner: parts.length > 1 ? 'parent' : null } };
}

/** The same for a list at the root: `argument` names the object that it belongs to. */
export function keyedWithin(argument: string, ...parts: KeyPart[]): { prismaKey: PrismaKey } {
  return { prismaKey: { ...keyedBy(...parts).prismaKey, owner: { argument } } };
}

/** Looks at the cursors of a list that the Prisma plugin pages; `parentId` once it is known. */
export function prismaCursorFault(
  { pattern, owner }: PrismaKey,
  args: Record<string, unknown>,
  parentId?: string,
): JsonFault | null {
  const ownerId = owner === 'parent' || owner === null ? parentId : args[owner.argument];
  for (const name of CURSOR_ARGUMENTS) {
    const cursor = args[name];
    if (typeof cursor !== 'string') continue;
    const key = Buffer.from(cursor, 'base64').toString('latin1');
    const match = pattern.exec(key);
    // Decoding passes over what is not base64: only what encodes to the same text came from here.
    if (!match || Buffer.from(key, 'latin1').toString('base64') !== cursor) return noCursor(name);
    if (ownerId !== undefined && match[1] !== `S:${ownerId}`) return noCursor(name);
  }
  return null;
}

export const prismaKeyOf = (
  extensions: Readonly<Record<string, unknown>> | null | undefined,
): PrismaKey | null => (extensions?.['prismaKey'] as PrismaKey | undefined) ?? null;
