import { z } from 'zod';

/** PostgreSQL has no place for NUL, and half a surrogate pair has no UTF-8 form: neither could be kept as it came. */
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0');

export const UNSTORABLE = 'must not contain the NUL character or broken Unicode';

/** Text as people type it, kept exactly as it came. */
export const plainText = (longest: number) => z.string().max(longest).refine(isStorable, UNSTORABLE);

/** Any JSON object that is kept as it came, of at most so many bytes. */
export const plainObject = (mostBytes: number) =>
  z
    .record(z.string(), z.unknown())
    .refine(isStorableValue, UNSTORABLE)
    .refine(
      (value) => Buffer.byteLength(JSON.stringify(value)) <= mostBytes,
      `must not be longer than ${mostBytes} bytes as JSON`,
    );

/** The same for JSON that comes from other systems and cannot be sent back: what has no place is replaced. */
export function madeStorable<T>(value: T): T;
export function madeStorable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD').toWellFormed();
  if (Array.isArray(value)) return value.map((each) => madeStorable(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [madeStorable(key), madeStorable(each)]),
  );
}

export function isStorableValue(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, member]) => isStorable(key) && isStorableValue(member));
}

/** For a LIKE pattern in which the caller's own % and _ mean themselves. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');
