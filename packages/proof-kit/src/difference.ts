/** Where two JSON values differ. */
import { isObject, type Members } from './form.ts';

/** Drops undefined members. */
export function defined(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/**
 * The first path, in the order of names, at which the shown value differs from the sealed one, as a clause; null if there is
 * none.
 */
export function firstDifference(shown: unknown, sealed: unknown, path: string): string | null {
  if (isObject(shown) && isObject(sealed)) return differentMember(shown, sealed, path);
  if (Array.isArray(shown) && Array.isArray(sealed)) {
    for (let i = 0; i < Math.max(shown.length, sealed.length); i++) {
      const here = `${path}[${i}]`;
      if (i >= sealed.length) return `${here} is shown, but was not sealed so`;
      if (i >= shown.length) return `${here} was sealed and is not shown`;
      const found = firstDifference(shown[i], sealed[i], here);
      if (found !== null) return found;
    }
    return null;
  }
  return shown === sealed ? null : `${path} is not what was sealed`;
}

function differentMember(shown: Members, sealed: Members, path: string): string | null {
  const names = [...new Set([...Object.keys(shown), ...Object.keys(sealed)])].sort();
  for (const name of names) {
    const here = `${path}.${name}`;
    if (!Object.hasOwn(sealed, name)) return `${here} is shown, but was not sealed so`;
    if (!Object.hasOwn(shown, name)) return `${here} was sealed and is not shown`;
    const found = firstDifference(shown[name], sealed[name], here);
    if (found !== null) return found;
  }
  return null;
}
