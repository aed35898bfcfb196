import { Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Failure } from '../../graphql/failure.ts';
import { useAction } from '../../graphql/use-action.ts';
import { landingPath, safeNext } from '../../session/landing.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { TextLink } from '../../ui/link.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { SignIn } from './sign-in-mutation.ts';
import { centerOfEntry } from './use-entry-brand.ts';

const route = getRouteApi('/sign-in');

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

export default function SignInScreen() {
  const { next, center } = route.useSearch();
  const signIn = useAction(SignIn, { quiet: true });
  const [passkeyFailure, setPasskeyFailure] = useState<Failure>();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { contact: '', password: '' },
    validate: {
      contact: contactFault,
      password: (value) => (value ? null : 'Enter your password.'),
    },
  });
  const submit = form.onSubmit(async ({ contact, password }) => {
    setPasskeyFailure(undefined);
    const done = await signIn.run({ input: { ...contactOf(contact), password, centerDomain: center } });
    // A whole new page, so that nothing of an earlier session stays in memory.
    if (done) location.assign(safeNext(next) ?? landingPath(done.signIn.landing!));
  });
  return (
    <EntryFrame
      title="Sign in"
      center={centerOfEntry(center, next)}
      intro="Review, approve and prove the decisions of your center."
      foot={<TextLink to="/forgot-password">Forgot your password?</TextLink>}
    >
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
          {browserSupportsWebAuthn() && (
            <>
              <Divider label="or" />
              <PasskeyButton next={next} center={center} onFailure={setPasskeyFailure} />
            </>
          )}
        </Stack>
      </form>
    </EntryFrame>
  );
}
