import { Button, Checkbox, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCircleCheck, IconLinkOff } from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { useEffect, useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { Empty, Lines, Problem } from '../../ui/states.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { mailedToken } from './mailed-token.ts';
import { NewPassword, passwordFault } from './new-password.tsx';

const Reset = graphql(`mutation Reset($input: ResetPasswordInput!) { resetPassword(input: $input) }`);

const Look = graphql(`
  mutation ReadPasswordReset($input: ReadPasswordResetInput!) {
    readPasswordReset(input: $input) { passkeys { id name } }
  }
`);

type Passkeys = ResultOf<typeof Look>['readPasswordReset']['passkeys'];

export function ResetScreen() {
  const look = useAction(Look, { quiet: true });
  const act = useAction(Reset, { quiet: true });
  const [passkeys, setPasskeys] = useState<Passkeys>();
  const [done, setDone] = useState(false);
  const form = useForm({
    initialValues: { password: '', keepPasskeys: [] as string[] },
    validate: { password: passwordFault },
  });
  const { run } = look;
  useEffect(() => {
    if (mailedToken)
      void run({ input: { token: mailedToken } }).then(
        (found) => found && setPasskeys(found.readPasswordReset.passkeys),
      );
  }, [run]);
  if (!mailedToken || look.failure) {
    return (
      <EntryFrame title="Reset your password">
        {look.failure && look.failure.code !== 'UNAUTHORIZED' ? (
          <Problem small failure={look.failure} />
        ) : (
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
        )}
      </EntryFrame>
    );
  }
  if (!passkeys) {
    return (
      <EntryFrame title="Choose a new password">
        <Lines count={3} />
      </EntryFrame>
    );
  }
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
  const submit = form.onSubmit(async (chosen) => {
    if (await act.run({ input: { token: mailedToken!, ...chosen } })) setDone(true);
  });
  return (
    <EntryFrame title="Choose a new password" intro="You will be signed out on all devices.">
      <form onSubmit={submit} noValidate>
        <Stack>
          <FailureNote failure={act.failure} />
          <NewPassword autoFocus size="md" {...form.getInputProps('password')} />
          {passkeys.length > 0 && (
            <Checkbox.Group
              label="Passkeys to keep"
              description="The others are removed. Keep only those you recognize."
              {...form.getInputProps('keepPasskeys')}
            >
              <Stack gap="xs" mt="xs">
                {passkeys.map(({ id, name }) => (
                  <Checkbox key={id} value={id} label={name} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
          <Button type="submit" size="md" loading={act.busy}>
            Set password
          </Button>
        </Stack>
      </form>
    </EntryFrame>
  );
}
