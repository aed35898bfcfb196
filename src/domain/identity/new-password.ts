import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { validationError } from '../../lib/errors.ts';

const MIN_LENGTH = 10;
/** A password that repeats so few characters is as weak as those few. */
const MAX_REPEATED = 4;

const fold = (text: string) => text.normalize('NFKC').toLowerCase();

const lines = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8').split('\n');
const commonPasswords = new Set(lines.filter((line) => line !== '' && !line.startsWith('#')));

const isCommon = (password: string) => commonPasswords.has(fold(password));

/** Whether a text is a few characters over and over, the last time perhaps not all of them. */
function isRepetition(text: string): boolean {
  const characters = [...fold(text)];
  const periods = Array.from({ length: MAX_REPEATED }, (_, i) => i + 1);
  return periods.some((period) => characters.every((each, i) => each === characters[i % period]));
}

/** The rules for a new password. Length is what makes it hard to guess, unless it is one that guessers try first. */
export const newPassword = z
  .string()
  .min(MIN_LENGTH)
  .max(1_024)
  .refine((password) => !isCommon(password), 'This password is one of the most common ones. Choose another.')
  .refine(
    (password) => !isRepetition(password),
    `This password repeats ${MAX_REPEATED} characters or fewer. Choose another.`,
  );

/** Letters and digits only, so that dots, blanks and case make no difference; a text without any as it is. */
const bare = (text: string) => fold(text).replace(/[^\p{L}\p{N}]/gu, '') || fold(text).trim();

/** Throws if a new password is what everybody knows of its owner: the address, the part before the @, or the name. */
export function refuseOwnName(
  path: string,
  password: string,
  { email, name }: { email: string | null; name: string | null | undefined },
): void {
  const known = [email, email?.slice(0, email.indexOf('@')), name].map((text) => bare(text ?? ''));
  const own = bare(password);
  if (own === '' || !known.includes(own)) return;
  throw validationError([{ path, message: 'This password is your own address or name. Choose another.' }]);
}
