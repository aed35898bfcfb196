import { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Makes a folder and those above it. Not with mkdir's own `recursive`, which never ends where a parent exists but takes
 * no entries, such as /proc.
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it in between.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
    return;
  }
  if (mode !== 0o777) chmodSync(path, mode);
}

/** Why a folder cannot be written to, or made; null when it can. Leaves no trace. */
export function folderFault(path: string): string | null {
  try {
    const nearest = nearestExisting(path);
    if (!statSync(nearest).isDirectory()) return `${nearest} is not a folder`;
    accessSync(nearest, constants.W_OK | constants.X_OK);
    // The rights alone do not tell: root has them all, and a file system may still refuse.
    rmdirSync(mkdtempSync(join(nearest, '.countersign-')));
    return null;
  } catch (error) {
    return reasonOf(error as NodeJS.ErrnoException);
  }
}

function nearestExisting(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) ? path : nearestExisting(dirname(path));
}

/** Without the name of the probe, which says nothing to anybody. */
function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  const words: Record<string, string> = {
    EACCES: 'permission denied',
    EPERM: 'operation not permitted',
    EROFS: 'the file system is read-only',
    ENOENT: 'no folder can be made there',
    ENOTDIR: 'a part of the path is not a folder',
    ENOSPC: 'no space is left',
    ENAMETOOLONG: 'the name is too long',
  };
  return words[code ?? ''] ?? message;
}
