import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useRouter } from '@tanstack/react-router';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { invalidateSession } from '../../session/session.ts';
import { useSession } from '../../session/session-context.ts';
import { roleNames } from '../../text/roles.ts';
import { Facts } from '../../ui/facts.tsx';
import { ActionForm } from '../../ui/form-dialog.tsx';
import { Panel } from '../../ui/panel.tsx';

const SaveProfile = graphql(`
  mutation SaveProfile($input: UpdateProfileInput!) { updateProfile(input: $input) { actorId name phone } }
`);

export function Profile() {
  const { me } = useSession();
  const router = useRouter();
  const act = useAction(SaveProfile, { quiet: true, done: 'Saved.' });
  const form = useForm({
    initialValues: { name: me.name, phone: me.phone ?? '' },
    validate: { name: (value) => (value.trim() ? null : 'Enter your name.') },
  });
  const submit = form.onSubmit(async ({ name, phone }) => {
    if (!(await act.run({ input: { name: name.trim(), phone: phone.trim() || null } }))) return;
    invalidateSession();
    void router.invalidate();
  });
  return (
    <Panel title="Profile">
      <ActionForm act={act} verb="Save profile" disabled={!form.isDirty()} inPanel onSubmit={submit}>
        <TextInput label="Name" autoComplete="name" {...form.getInputProps('name')} />
        <TextInput
          label="Phone"
          description="Shown to your centers. You sign in with your email."
          autoComplete="tel"
          {...form.getInputProps('phone')}
        />
        <Facts
          of={{
            Email: me.email,
            Partner: me.partner && `${me.partner.name} (${roleNames().one(me.partner.role)})`,
            Installation: me.platformAdmin && 'Platform administrator',
          }}
        />
      </ActionForm>
    </Panel>
  );
}
