import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { getRouteApi } from '@tanstack/react-router';
import { landingPath, safeNext } from '../../app/landing.ts';
import { graphql } from '../../graphql/graphql.ts';
import { useAct } from '../../graphql/use-act.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { EntryFrame } from './entry-frame.tsx';

const SignIn = graphql(`
  mutation SignIn($input: SignInInput!) {
    signIn(input: $input) { landing { kind centerDomain } }
  }
`);

const route = getRouteApi('/sign-in');

/** An address has an @ in it; anything else is a phone number. */
const contactOf = (contact: string) =>
  contact.includes('@') ? { email: contact.trim() } : { phone: contact.trim() };

export function SignInScreen() {
  const { next, center } = route.useSearch();
  const signIn = useAct(SignIn, { quiet: true });
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { contact: '', password: '' },
    validate: {
      contact: (value) => (value.trim() ? null : 'Enter your email address or phone number.'),
      password: (value) => (value ? null : 'Enter your password.'),
    },
  });
  const submit = form.onSubmit(async ({ contact, password }) => {
    const done = await signIn.run({
      input: { ...contactOf(contact), password, centerDomain: center },
    });
    // A whole new page, so that nothing of an earlier session stays in memory.
    if (done) location.assign(safeNext(next) ?? landingPath(done.signIn.landing!));
  });
  return (
    <EntryFrame title="Sign in" intro="To see, approve and prove what is decided in your center.">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <FailureNote failure={signIn.failure} />
          <TextInput
            label="Email or phone"
            autoComplete="username webauthn"
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
        </Stack>
      </form>
    </EntryFrame>
  );
}
