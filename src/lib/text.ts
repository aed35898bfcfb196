import { z } from 'zod';

/** Text as people type it. PostgreSQL keeps every character but NUL, so that one is refused at the door. */
export const plainText = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((text) => !text.includes('\0'), 'must not contain the NUL character');

/** For a LIKE pattern in which the caller's own % and _ mean themselves. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');
