/** Texts of others in a line of output: a document must not add lines, move the cursor or hide a part of what it says. */
import { INVISIBLE } from './approver-id.ts';
import { canonicalJson } from './canonical.ts';

const HIDDEN = [...INVISIBLE, [0xd800, 0xdfff] as const];

/** Invisible characters as `\u` and four hex digits for each UTF-16 code unit. */
export function printable(text: string): string {
  return Array.from(text, (character) => {
    const code = character.codePointAt(0)!;
    return HIDDEN.some(([first, last]) => code >= first && code <= last) ? escaped(character) : character;
  }).join('');
}

/** The same for a text of several lines, where a page keeps them apart from its own words. */
export const printableLines = (text: string): string => text.split(/\r?\n/).map(printable).join('\n');

/** A text of several lines as one. */
export const oneLine = (text: string): string => printable(text.replaceAll(/\r?\n/g, ' '));

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

const MAX_QUOTED = 80;

/** Words of a caller as a JSON string. Longer ones are cut to 79 code points and an ellipsis. */
export function quoted(words: string): string {
  const characters = [...words];
  const cut =
    characters.length > MAX_QUOTED ? `${characters.slice(0, MAX_QUOTED - 1).join('')}\u2026` : words;
  return printable(canonicalJson(cut));
}
