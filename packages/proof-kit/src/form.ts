/**
 * The exact shape of a value: missing and unknown members are both faults. The first fault is reported, in an order that every
 * verifier can follow.
 */
import { isId } from './approver-id.ts';
import { fromBase64Url } from './bytes.ts';
import { HASH_PREFIX, isRecordHash, isRecordTimestamp } from './record.ts';

/** The first fault of a value, as a clause that begins with its path; null if there is none, and then it is a T. */
export interface Form<T = unknown> {
  (value: unknown, path: string): string | null;
  /** Exists for the compiler only. */
  readonly accepts?: T;
}

/** The type of the values that a form accepts. */
export type Accepted<F> = F extends Form<infer T> ? T : never;

export type Members = { [name: string]: unknown };

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const fault =
  <T>(isGood: (value: unknown) => boolean, words: string): Form<T> =>
  (value, path) =>
    isGood(value) ? null : `${path} is ${words}`;

const isText = (value: unknown): value is string => typeof value === 'string';
const textThat = <T extends string = string>(isGood: (text: string) => boolean, words: string): Form<T> =>
  fault((value) => isText(value) && isGood(value), words);

export const anything: Form = () => null;
export const text: Form<string> = fault(isText, 'not text');
export const id: Form<string> = textThat(isId, 'not an id of at most 256 bytes');
/** The host of a service, with its port. */
export const service: Form<string> = textThat(
  (value) => /^[A-Za-z0-9._~:[\]-]{1,255}$/.test(value),
  'not the host of a service',
);
export const flag: Form<boolean> = fault((value) => typeof value === 'boolean', 'not true or false');
export const digest: Form<string> = textThat((value) => /^[A-Za-z0-9_-]{43}$/.test(value), 'not a digest');
export const anyObject: Form<Members> = fault(isObject, 'not an object');
export const index: Form<number> = fault(
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  'not a whole number from 0',
);
export const positive: Form<number> = fault(
  (value) => Number.isSafeInteger(value) && (value as number) >= 1,
  'not a whole number from 1',
);
/** A whole number within limits. */
export const between = (least: number, most: number): Form<number> =>
  fault(
    (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
    `not a whole number from ${least} to ${most}`,
  );
export const amount: Form<number> = fault(
  (value) => typeof value === 'number' && value >= 0,
  'not a number from 0',
);
/** From 0 to 1. */
export const fraction: Form<number> = fault(
  (value) => typeof value === 'number' && value >= 0 && value <= 1,
  'not a number from 0 to 1',
);
export const time: Form<string> = textThat(isRecordTimestamp, 'not a time such as 2026-01-31T12:00:00.000Z');
export const bareHash: Form<string> = textThat(isRecordHash, 'not 64 hex digits');
export const prefixedHash: Form<string> = textThat(
  (value) => value.startsWith(HASH_PREFIX) && isRecordHash(value.slice(HASH_PREFIX.length)),
  'not sha256: and 64 hex digits',
);
export const base64Url: Form<string> = textThat((value) => {
  try {
    fromBase64Url(value);
    return true;
  } catch {
    return false;
  }
}, 'not base64url');

export function like(pattern: RegExp, words: string): Form<string> {
  return textThat((value) => pattern.test(value), words);
}

export function oneOf<const T extends string>(...allowed: readonly T[]): Form<T> {
  return textThat((value) => (allowed as readonly string[]).includes(value), `not ${allowed.join(' or ')}`);
}

export function nullable<T>(form: Form<T>): Form<T | null> {
  return (value, path) => (value === null ? null : form(value, path));
}

export function listOf<T>(form: Form<T>, most: number, least = 0): Form<T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) return `${path} is not a list`;
    if (value.length < least) return `${path} has fewer entries than ${least}`;
    if (value.length > most) return `${path} has more entries than ${most}`;
    for (let i = 0; i < value.length; i++) {
      const found = form(value[i], `${path}[${i}]`);
      if (found !== null) return found;
    }
    return null;
  };
}

const under = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

type ObjectOf<M> = {
  [Name in keyof M as Name extends `${string}?` ? never : Name]: Accepted<M[Name]>;
} & { [Name in keyof M as Name extends `${infer Bare}?` ? Bare : never]?: Accepted<M[Name]> };

/** An object with exactly these members. A name that ends in a question mark is optional. */
export function objectOf<M extends Record<string, Form>>(members: M): Form<ObjectOf<M>> {
  const known = Object.entries(members).map(([written, form]) => {
    const isOptional = written.endsWith('?');
    return { name: isOptional ? written.slice(0, -1) : written, isOptional, form };
  });
  const names = new Set(known.map(({ name }) => name));
  return (value, path) => {
    if (!isObject(value)) return `${path} is not an object`;
    const unknown = Object.keys(value)
      .filter((name) => !names.has(name))
      .sort()[0];
    if (unknown !== undefined) return `${under(path, unknown)} is unknown`;
    for (const { name, isOptional, form } of known) {
      const here = under(path, name);
      if (!Object.hasOwn(value, name)) {
        if (isOptional) continue;
        return `${here} is missing`;
      }
      const found = form(value[name], here);
      if (found !== null) return found;
    }
    return null;
  };
}
