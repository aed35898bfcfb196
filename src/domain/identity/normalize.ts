// The normalized form of emails and phones, which is stored, compared and looked up.
import { z } from 'zod';

const emailSchema = z.email();

export function normalizeEmail(text: string): string {
  // Lower-casing can decompose letters, so composition comes last.
  return text.trim().toLowerCase().normalize('NFC');
}

/** Whether the normalized text is an address that request validation also accepts. */
export function isEmail(text: string): boolean {
  return emailSchema.safeParse(normalizeEmail(text)).success;
}

/** Digits with an optional leading +. National numbers stay national; no country is guessed. */
export function normalizePhone(text: string): string {
  return (
    text
      // Converts full-width digits and signs to plain ones.
      .normalize('NFKC')
      // Spaces, invisible characters, all dashes, and the usual separators.
      .replace(/[\s\p{Cf}\p{Pd}\u2212./]/gu, '')
      .replace(/^00/, '+')
      // The trunk zero of +49 (0)30 is not dialed from abroad.
      .replace(/^(\+\d{1,3})\(0\)/, '$1')
      .replace(/[()[\]]/g, '')
      .replace(/^00/, '+')
  );
}

/** Whether the normalized text can be a phone number: 3 to 15 digits; international ones never start with 0. */
export function isPhone(text: string): boolean {
  return /^(\+[1-9]\d{2,14}|\d{3,15})$/.test(normalizePhone(text));
}
