import { Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedCallback } from '@mantine/hooks';
import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { type ReactNode, useState } from 'react';
import type { Failure } from '../../graphql/failure.ts';
import { useAction } from '../../graphql/use-action.ts';
import { landingPath, safeNext } from '../../session/landing.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { SignIn } from './sign-in-mutation.ts';

/** An address has an @ in it; anything else is a phone number. */
const contactOf = (contact: string) =>
  contact.includes('@') ? { email: contact.trim() } : { phone: contact.trim() };

const LEAST_DIGITS = 3;

function contactFault(contact: string): string | null {
  if (contact.includes('@')) return null;
  return contact.replace(/\D/g, '').length >= LEAST_DIGITS
    ? null
    : 'Enter your email address or phone number.';
}

/** An address that may be complete, so that its domain can be looked up. */
const emailIn = (contact: string) => (/^\S+@\S+\.[^\s.]{2,}$/.test(contact.trim()) ? contact.trim() : '');
const LOOK_UP_AFTER_MS = 400;

interface PasswordFormProps {
  next: string | undefined;
  center: string | undefined;
  /** Called with the address that was entered, and with nothing while it is incomplete. */
  onEmail: (email: string) => void;
  /** The address belongs to a company whose center takes no password. */
  isContactOnly: boolean;
  /** Another way to sign in. */
  children: ReactNode;
}

export function PasswordForm({ next, center, onEmail, isContactOnly, children }: PasswordFormProps) {
  const signIn = useAction(SignIn, { quiet: true });
  const [passkeyFailure, setPasskeyFailure] = useState<Failure>();
  const lookUp = useDebouncedCallback((contact: string) => onEmail(emailIn(contact)), LOOK_UP_AFTER_MS);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { contact: '', password: '' },
    validate: {
      contact: contactFault,
      password: (value) => (value || isContactOnly ? null : 'Enter your password.'),
    },
  });
  form.watch('contact', ({ value }) => lookUp(value));
  const submit = form.onSubmit(async ({ contact, password }) => {
    if (isContactOnly) return;
    setPasskeyFailure(undefined);
    const done = await signIn.run({ input: { ...contactOf(contact), password, centerDomain: center } });
    // A whole new page, so that nothing of an earlier session stays in memory.
    if (done) location.assign(safeNext(next) ?? landingPath(done.signIn.landing!));
  });
  const passkeys = browserSupportsWebAuthn();
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <FailureNote failure={passkeyFailure ?? signIn.failure} />
        <TextInput
          label="Email or phone"
          description="A phone number works only if your account was created with it."
          autoComplete="username"
          autoFocus
          size="md"
          key={form.key('contact')}
          {...form.getInputProps('contact')}
        />
        {!isContactOnly && (
          <>
            <PasswordInput
              label="Password"
              autoComplete="current-password"
              size="md"
              key={form.key('password')}
              {...form.getInputProps('password')}
            />
            <Button type="submit" size="md" loading={signIn.busy} fullWidth>
              Sign in
            </Button>
            {(passkeys || children) && <Divider label="or" />}
          </>
        )}
        {children}
        {passkeys && !isContactOnly && (
          <PasskeyButton next={next} center={center} onFailure={setPasskeyFailure} />
        )}
      </Stack>
    </form>
  );
}
