import { isStorable } from '../../lib/json-faults.ts';
import { invalidValue } from './errors.ts';

/** Text without control characters: names are shown in mails and on screens. */
const CONTROL = /\p{Cc}/u;

/** A text, or null for no value: directories send null, an empty text, or leave the attribute out. */
export function optionalText(attribute: string, value: unknown, longest = 256): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') throw invalidValue(attribute, 'must be a string');
  const text = value.trim();
  if (text.length > longest) throw invalidValue(attribute, `must have at most ${longest} characters`);
  if (!isStorable(text) || CONTROL.test(text))
    throw invalidValue(attribute, 'must not contain control characters or broken Unicode');
  return text === '' ? null : text;
}
