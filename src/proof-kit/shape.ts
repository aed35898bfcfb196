/** Small checks that describe what is wrong with a value instead of throwing: enough to read an untrusted document. */

/** The faults of a value, each a sentence that begins with the path to it; none when it is well-formed. */
export type Check = (value: unknown, path: string) => string[];

const show = (path: string): string => (path === '' ? 'The document' : path);

export const anything: Check = () => [];

export const text: Check = (value, path) =>
  typeof value === 'string' && value.isWellFormed() ? [] : [`${show(path)} must be text.`];

export const index: Check = (value, path) =>
  Number.isSafeInteger(value) && (value as number) >= 0
    ? []
    : [`${show(path)} must be a whole number from 0.`];

export function textLike(accepts: (value: string) => boolean, words: string): Check {
  return (value, path) =>
    typeof value === 'string' && accepts(value) ? [] : [`${show(path)} must be ${words}.`];
}

export function oneOf(...allowed: string[]): Check {
  return (value, path) =>
    typeof value === 'string' && allowed.includes(value)
      ? []
      : [`${show(path)} must be ${allowed.join(' or ')}.`];
}

export function optional(check: Check): Check {
  return (value, path) => (value === undefined ? [] : check(value, path));
}

export function nullable(check: Check): Check {
  return (value, path) => (value === null ? [] : check(value, path));
}

/** Many producers write null for what is not there. */
export function maybe(check: Check): Check {
  return optional(nullable(check));
}

export function listOf(check: Check, most: number): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return [`${show(path)} must be a list.`];
    if (value.length > most) return [`${show(path)} must have at most ${most} entries.`];
    return Array.from(value, (item: unknown, i) => check(item, `${path}[${i}]`)).flat();
  };
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own fields only, so that nothing inherited can stand in for a missing one. Further fields are allowed. */
export function objectOf(fields: Record<string, Check>): Check {
  return (value, path) => {
    if (!isPlainObject(value)) return [`${show(path)} must be an object.`];
    return Object.entries(fields).flatMap(([name, check]) =>
      check(Object.hasOwn(value, name) ? value[name] : undefined, path === '' ? name : `${path}.${name}`),
    );
  };
}
