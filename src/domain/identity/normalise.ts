// One written form for each email and phone: what is stored, compared and looked up.
import { z } from 'zod';

const emailSchema = z.email();

export function normaliseEmail(text: string): string {
  // Lower-casing can leave letters decomposed, so composition comes last.
  return text.trim().toLowerCase().normalize('NFC');
}

/** Whether the text, once normalised, is an address that request validation takes too. */
export function isEmail(text: string): boolean {
  return emailSchema.safeParse(normaliseEmail(text)).success;
}

/** Digits with an optional leading +. National numbers stay national: no country is guessed. */
export function normalisePhone(text: string): string {
  return (
    text
      // Full-width digits and signs become plain ones.
      .normalize('NFKC')
      // Spaces, invisible marks, dashes of any kind, and the usual separators.
      .replace(/[\s\p{Cf}\p{Pd}\u2212./]/gu, '')
      .replace(/^00/, '+')
      // The trunk zero of +49 (0)30 is not dialled from abroad.
      .replace(/^(\+\d{1,3})\(0\)/, '$1')
      .replace(/[()[\]]/g, '')
      .replace(/^00/, '+')
  );
}

/** Whether the text, once normalised, can be a phone number: 3 to 15 digits, international ones never starting with 0. */
export function isPhone(text: string): boolean {
  return /^(\+[1-9]\d{2,14}|\d{3,15})$/.test(normalisePhone(text));
}
