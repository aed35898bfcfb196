import { PasswordInput } from '@mantine/core';
import type { ComponentProps } from 'react';

const LEAST_PASSWORD = 10;

export const passwordFault = (value: string) =>
  value.length >= LEAST_PASSWORD ? null : `Use ${LEAST_PASSWORD} characters or more.`;

/** A field for a new password. */
export function NewPassword(props: ComponentProps<typeof PasswordInput>) {
  return (
    <PasswordInput
      label="New password"
      description={`${LEAST_PASSWORD} characters or more, and not a common password or your own name. A few unrelated words are easy to remember and hard to guess.`}
      autoComplete="new-password"
      maxLength={1_024}
      {...props}
    />
  );
}
