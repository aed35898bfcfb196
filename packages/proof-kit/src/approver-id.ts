/**
 * Whether two ids identify the same person. Ids come from many systems in many spellings; a second spelling of one's own id
 * must not count as a second approver.
 */

import { utf8 } from './bytes.ts';
import { isAssigned } from './unicode-assigned.ts';

/**
 * Invisible characters: controls, joiners, directional marks, fillers, variation selectors, tags; first and last of each range.
 * Every code point with the property Default_Ignorable_Code_Point is among them.
 */
export const INVISIBLE: readonly (readonly [number, number])[] = [
  [0x0, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x16fe4, 0x16fe4],
  [0x1bca0, 0x1bca3],
  [0x1d159, 0x1d159],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

const PLAIN = /^[!-~]*$/;

function isVisible(character: string): boolean {
  const code = character.codePointAt(0)!;
  return !INVISIBLE.some(([first, last]) => code >= first && code <= last);
}

/** NFKC, invisible characters removed, case folded (lower, upper, lower, with one small sigma), trimmed. */
export function normalId(id: string): string {
  return PLAIN.test(id) ? id.toLowerCase() : normalText(id).trim();
}

/** The same without trimming: how types of actions are compared with patterns. */
export function normalText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const visible = [...text.normalize('NFKC')].filter(isVisible).join('');
  // Lower case first: the capital sharp s has no other upper case, the small one becomes SS.
  const folded = visible.toLowerCase().toUpperCase().toLowerCase();
  return folded.replaceAll('\u03c2', '\u03c3').normalize('NFKC');
}

export function isSamePerson(a: string, b: string): boolean {
  return normalId(a) === normalId(b);
}

const MAX_ID_BYTES = 256;

/** Whether a text can be an id: every runtime must read and compare it the same way, in bounded time. */
export function isId(text: string): boolean {
  if (text.length === 0 || text.length > MAX_ID_BYTES) return false;
  if (PLAIN.test(text)) return true;
  if (utf8(text).length > MAX_ID_BYTES) return false;
  return [...text].every((character) => isAssigned(character.codePointAt(0)!));
}
