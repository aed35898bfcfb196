import { z } from 'zod';
import { isStorable, type JsonFault, UNSTORABLE, valueFault } from './json-faults.ts';

/** An id as a caller sends it. */
export const opaqueId = z.string().min(1).max(256);

/** Text that people type, stored unchanged. */
export const plainText = (longest: number) => z.string().max(longest).refine(isStorable, UNSTORABLE);

/** A JSON object that is stored unchanged, with a maximum size in bytes. */
export const plainObject = (mostBytes: number) =>
  z
    .record(z.string(), z.unknown())
    .superRefine((value, ctx) => {
      const fault = valueFault(value);
      // The size of a too deeply nested value cannot be computed either.
      if (fault)
        ctx.addIssue({ code: 'custom', path: pathOf(fault), message: fault.message, continue: false });
    })
    .refine(
      (value) => Buffer.byteLength(JSON.stringify(value)) <= mostBytes,
      `must not be longer than ${mostBytes} bytes as JSON`,
    );

/** For JSON from other systems, which cannot be rejected: characters that cannot be stored are replaced. */
export function withoutUnstorable<T>(value: T): T;
export function withoutUnstorable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD').toWellFormed();
  if (Array.isArray(value)) return value.map((each) => withoutUnstorable(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [withoutUnstorable(key), withoutUnstorable(each)]),
  );
}

const pathOf = ({ path }: JsonFault) => (path === '' ? [] : path.split('.'));

/** Escapes % and _ for a LIKE pattern. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** Lower case as databases compute it: one character at a time, without regard to its neighbors. */
export const lowerCase = (text: string) =>
  Array.from(text, (letter) => String.fromCodePoint(letter.toLowerCase().codePointAt(0)!)).join('');
