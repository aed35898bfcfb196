import { PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { ActionForm } from '../../ui/form-dialog.tsx';
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
      <ActionForm act={act} verb="Change password" button={{ variant: 'default' }} inPanel onSubmit={submit}>
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          {...form.getInputProps('currentPassword')}
        />
        <NewPassword {...form.getInputProps('newPassword')} />
      </ActionForm>
    </Panel>
  );
}
