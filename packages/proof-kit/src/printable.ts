/**
 * Removes characters that move the cursor, change the direction or are invisible: a document must not add lines to the output.
 */
const HIDDEN: readonly [number, number][] = [
  [0x0, 0x1f],
  [0x7f, 0x9f],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2066, 0x2069],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
];

export function printable(text: string): string {
  return Array.from(text, (character) => {
    const code = character.codePointAt(0)!;
    const isHidden = HIDDEN.some(([first, last]) => code >= first && code <= last);
    return isHidden ? `\\u${code.toString(16).padStart(4, '0')}` : character;
  }).join('');
}
