import { z } from 'zod';
import { isStorable, type JsonFault, UNSTORABLE, valueFault } from './json-faults.ts';

/** An id as a caller sends it. */
export const opaqueId = z.string().min(1).max(256);

/** Text as people type it, kept exactly as it came. */
export const plainText = (longest: number) => z.string().max(longest).refine(isStorable, UNSTORABLE);

/** Any JSON object that is kept as it came, of at most so many bytes. */
export const plainObject = (mostBytes: number) =>
  z
    .record(z.string(), z.unknown())
    .superRefine((value, ctx) => {
      const fault = valueFault(value);
      // The size of what is nested without end cannot be told either.
      if (fault)
        ctx.addIssue({ code: 'custom', path: pathOf(fault), message: fault.message, continue: false });
    })
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

const pathOf = ({ path }: JsonFault) => (path === '' ? [] : path.split('.'));

/** For a LIKE pattern in which the caller's own % and _ mean themselves. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** In lower case as databases have it: letter by letter, one for one, without regard to its neighbors. */
export const lowerCase = (text: string) =>
  Array.from(text, (letter) => String.fromCodePoint(letter.toLowerCase().codePointAt(0)!)).join('');
