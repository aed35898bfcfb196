import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCircleCheck, IconLinkOff } from '@tabler/icons-react';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useAct } from '../../graphql/use-act.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/states.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { mailedToken } from './mailed-token.ts';
import { NewPassword, passwordFault } from './new-password.tsx';

const Reset = graphql(`mutation Reset($input: ResetPasswordInput!) { resetPassword(input: $input) }`);

export function ResetScreen() {
  const act = useAct(Reset, { quiet: true });
  const [done, setDone] = useState(false);
  const form = useForm({ initialValues: { password: '' }, validate: { password: passwordFault } });
  if (!mailedToken) {
    return (
      <EntryFrame title="Reset your password">
        <Empty
          small
          icon={<IconLinkOff />}
          title="This link is not complete"
          action={<ButtonLink to="/forgot-password">Send another</ButtonLink>}
        >
          Open it once more from the mail, or let us send you another.
        </Empty>
      </EntryFrame>
    );
  }
  if (done) {
    return (
      <EntryFrame title="Your password is set">
        <Empty
          small
          icon={<IconCircleCheck />}
          title="You are signed out everywhere"
          action={<ButtonLink to="/sign-in">Sign in</ButtonLink>}
        >
          Sign in with the new password.
        </Empty>
      </EntryFrame>
    );
  }
  const submit = form.onSubmit(async ({ password }) => {
    if (await act.run({ input: { token: mailedToken!, password } })) setDone(true);
  });
  return (
    <EntryFrame title="Choose a new password" intro="You will be signed out on all devices.">
      <form onSubmit={submit} noValidate>
        <Stack>
          <FailureNote failure={act.failure} />
          <NewPassword autoFocus size="md" {...form.getInputProps('password')} />
          <Button type="submit" size="md" loading={act.busy}>
            Set the password
          </Button>
        </Stack>
      </form>
    </EntryFrame>
  );
}
