/** Generic ways to change a document. */
type Tree = { [name: string]: Tree };

const segments = (path: string): string[] => path.split('/');

/** A copy with the value at a path (`evidence/approvals/0/reason`) replaced; undefined removes it. */
export function altered<T>(document: T, path: string, value: unknown): T {
  // Through JSON: a part that is used in two places must not change in both.
  const copy = JSON.parse(JSON.stringify(document)) as T;
  const names = segments(path);
  const last = names.pop()!;
  let holder = copy as unknown as Tree;
  for (const name of names) holder = holder[name]!;
  if (value === undefined && Array.isArray(holder)) holder.splice(Number(last), 1);
  else if (value === undefined) delete holder[last];
  else (holder as Record<string, unknown>)[last] = value;
  return copy;
}

export function valueAt(document: unknown, path: string): unknown {
  return segments(path).reduce<unknown>((value, name) => (value as Tree)[name], document);
}

/** Every path inside with its value; includes objects and arrays, but not the root. */
export function pathsIn(value: unknown, path = ''): { path: string; value: unknown }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const here = path === '' ? name : `${path}/${name}`;
    return [{ path: here, value: member as unknown }, ...pathsIn(member, here)];
  });
}

/** Another value of the same kind, as a forger would choose it. */
export function otherThan(value: unknown): unknown {
  if (typeof value === 'number') return value + 1 === value ? value * 2 : value + 1;
  if (typeof value === 'boolean') return !value;
  if (value === null) return 'something';
  if (typeof value !== 'string') return undefined;
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return value.replace(/^\d{4}/, '2025');
  if (/^(?:sha256:)?[0-9a-f]{64}$/.test(value)) return value.replace(/.{8}$/, '00000000');
  return `${value} forged`;
}

export const fileName = (path: string): string => path.replaceAll('@', 'at-').replaceAll('/', '-');
