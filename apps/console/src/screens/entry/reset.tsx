import { Checkbox, Stack } from '@mantine/core';
import { IconCircleCheck, IconLinkOff } from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { ActionForm, useActionForm } from '../../ui/form-dialog.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/states.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { MailedLink } from './mailed-link.tsx';
import { mailedToken } from './mailed-token.ts';
import { NewPassword, passwordFault } from './new-password.tsx';

const Reset = graphql(`mutation Reset($input: ResetPasswordInput!) { resetPassword(input: $input) }`);

const Look = graphql(`
  mutation ReadPasswordReset($input: ReadPasswordResetInput!) {
    readPasswordReset(input: $input) { passkeys { id name } }
  }
`);

type Passkeys = ResultOf<typeof Look>['readPasswordReset']['passkeys'];

export default function ResetScreen() {
  return (
    <MailedLink title="Reset your password" query={Look} invalid={invalid}>
      {({ readPasswordReset: { passkeys } }, token) => <NewPasswordForm passkeys={passkeys} token={token} />}
    </MailedLink>
  );
}

const invalid = (
  <Empty
    small
    icon={<IconLinkOff />}
    title={mailedToken ? 'This link is no longer valid' : 'This link is incomplete'}
    action={<ButtonLink to="/forgot-password">Send a new link</ButtonLink>}
  >
    {mailedToken
      ? 'It was used or has expired. We can send you a new one.'
      : 'Open the link from the mail again, or request a new one.'}
  </Empty>
);

function NewPasswordForm({ passkeys, token }: { passkeys: Passkeys; token: string }) {
  const [done, setDone] = useState(false);
  const action = useActionForm(Reset, {
    initialValues: { password: '', keepPasskeys: [] as string[] },
    validate: { password: passwordFault },
    input: (chosen) => ({ token, ...chosen }),
    onDone: () => setDone(true),
  });
  if (done) {
    return (
      <EntryFrame title="Your password is set">
        <Empty
          small
          icon={<IconCircleCheck />}
          title="You were signed out on all devices"
          action={<ButtonLink to="/sign-in">Sign in</ButtonLink>}
        >
          Sign in with the new password.
        </Empty>
      </EntryFrame>
    );
  }
  return (
    <EntryFrame title="Choose a new password" intro="You will be signed out on all devices.">
      <ActionForm {...action} verb="Set password" button={{ size: 'md' }}>
        <NewPassword autoFocus size="md" {...action.field('password')} />
        {passkeys.length > 0 && (
          <Checkbox.Group
            label="Passkeys to keep"
            description="The others are removed. Keep only those you recognize."
            {...action.field('keepPasskeys')}
          >
            <Stack gap="xs" mt="xs">
              {passkeys.map(({ id, name }) => (
                <Checkbox key={id} value={id} label={name} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
      </ActionForm>
    </EntryFrame>
  );
}
