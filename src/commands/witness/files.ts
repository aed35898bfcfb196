import { open } from 'node:fs/promises';
import { replaceFile } from '@countersign/auditor/state-file';

/** In the folder of a witness. */
export const KEY_FILE = 'witness.key';

/** Atomic even if the machine dies: the new name is synced too. */
export async function writeWhole(folder: string, path: string, text: string, mode: number): Promise<void> {
  await replaceFile(path, text, mode);
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
