import { Button, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Panel } from '../../ui/panel.tsx';
import { NewPassword, passwordFault } from '../entry/new-password.tsx';

const ChangePassword = graphql(`
  mutation ChangePassword($proof: ReauthenticateInput!, $input: ChangePasswordInput!) {
    reauthenticate(input: $proof)
    changePassword(input: $input)
  }
`);

export function Password() {
  const act = useAction(ChangePassword, {
    quiet: true,
    done: 'Password changed. Your other devices were signed out.',
  });
  const form = useForm({
    initialValues: { currentPassword: '', newPassword: '' },
    validate: {
      currentPassword: (value) => (value ? null : 'Enter your current password.'),
      newPassword: passwordFault,
    },
  });
  const submit = form.onSubmit(async (input) => {
    // The current password is also the recent authentication that the change requires.
    if (await act.run({ proof: { password: input.currentPassword }, input })) form.reset();
  });
  return (
    <Panel title="Password" hint="Changing it signs you out on all other devices.">
      <form onSubmit={submit} noValidate>
        <Stack>
          <FailureNote failure={act.failure} />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            {...form.getInputProps('currentPassword')}
          />
          <NewPassword {...form.getInputProps('newPassword')} />
          <div>
            <Button type="submit" variant="default" loading={act.busy}>
              Change password
            </Button>
          </div>
        </Stack>
      </form>
    </Panel>
  );
}
