import { noteSignature, signNote } from '@countersign/proof-kit';
import type { NoteSigner } from './keys/ring.ts';

/** A note signed by every active key: one, or two during a rotation. */
export async function signText(text: string, [first, ...others]: NoteSigner[]): Promise<string> {
  let note = await signNote(text, first!.key, first!.sign);
  for (const { key, sign } of others) note += await noteSignature(text, key, sign);
  return note;
}
