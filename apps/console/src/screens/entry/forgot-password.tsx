import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { ActionForm, useActionForm } from '../../ui/form-dialog.tsx';
import { TextLink } from '../../ui/link.tsx';
import { EntryFrame } from './entry-frame.tsx';

const RequestReset = graphql(`
  mutation RequestReset($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) }
`);

const back = <TextLink to="/sign-in">Back to sign-in</TextLink>;

/** The same answer for every address, so that it does not reveal who has an account. */
export default function ForgotPasswordScreen() {
  const [asked, setAsked] = useState<string>();
  const action = useActionForm(RequestReset, {
    initialValues: { email: '' },
    validate: { email: (value) => (/^\S+@\S+$/.test(value.trim()) ? null : 'Enter your email address.') },
    input: ({ email }) => ({ email: email.trim() }),
    onDone: (_done, { email }) => setAsked(email.trim()),
  });
  if (asked) {
    return (
      <EntryFrame
        title="Check your email"
        intro={`If ${asked} has an account here, a mail with a link is on its way. The link works once, for an hour.`}
        foot={back}
      >
        <Button variant="default" fullWidth onClick={() => setAsked(undefined)}>
          Use another address
        </Button>
      </EntryFrame>
    );
  }
  return (
    <EntryFrame
      title="Forgot your password?"
      intro="Enter your email address. We will send you a link."
      foot={back}
    >
      <ActionForm {...action} verb="Send link" button={{ size: 'md' }}>
        <TextInput label="Email" autoComplete="username" autoFocus size="md" {...action.field('email')} />
      </ActionForm>
    </EntryFrame>
  );
}
