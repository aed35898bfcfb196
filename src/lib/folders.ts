import { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Creates a folder and its parents. mkdir's `recursive` option loops forever if a parent exists but accepts no entries, such
 * as /proc.
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have created it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
    return;
  }
  if (mode !== 0o777) chmodSync(path, mode);
}

/** The reason why a folder cannot be created or written to, or null if it can. Leaves no trace. */
export function folderFault(path: string): string | null {
  try {
    const nearest = nearestExisting(path);
    if (!statSync(nearest).isDirectory()) return `${nearest} is not a folder`;
    accessSync(nearest, constants.W_OK | constants.X_OK);
    // File modes are not enough: root passes them all, and a file system may still refuse.
    rmdirSync(mkdtempSync(join(nearest, '.countersign-')));
    return null;
  } catch (error) {
    return reasonOf(error as NodeJS.ErrnoException);
  }
}

function nearestExisting(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) ? path : nearestExisting(dirname(path));
}

/** Without the name of the probe file, which would only confuse the reader. */
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
