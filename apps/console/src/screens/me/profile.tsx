import { TextInput } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { graphql } from '../../graphql/graphql.ts';
import { invalidateSession } from '../../session/session.ts';
import { useSession } from '../../session/session-context.ts';
import { roleNames } from '../../text/roles.ts';
import { Facts } from '../../ui/facts.tsx';
import { ActionForm, filled, useActionForm } from '../../ui/form-dialog.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useTimes } from '../../ui/zone.tsx';

const SaveProfile = graphql(`
  mutation SaveProfile($input: UpdateProfileInput!) { updateProfile(input: $input) { actorId name phone } }
`);

export function Profile() {
  const { me } = useSession();
  const router = useRouter();
  const times = useTimes();
  const action = useActionForm(SaveProfile, {
    done: 'Saved.',
    initialValues: { name: me.name, phone: me.phone ?? '' },
    validate: { name: filled('Enter your name.') },
    input: ({ name, phone }) => ({ name: name.trim(), phone: phone.trim() || null }),
    onDone: () => {
      invalidateSession();
      void router.invalidate();
    },
  });
  return (
    <Panel title="Profile">
      <ActionForm {...action} verb="Save profile" disabled={!action.form.isDirty()} inPanel>
        <TextInput
          label="Name"
          description={
            me.approvalNameUntil
              ? `Your new name appears on approvals from ${times.toTheMinute(me.approvalNameUntil)}. Until then they carry “${me.approvalName}”.`
              : 'The administrators of your centers are told about a change. Approvals carry a new name an hour later.'
          }
          autoComplete="name"
          {...action.field('name')}
        />
        <TextInput
          label="Phone"
          description="Shown to your centers. You sign in with your email."
          autoComplete="tel"
          {...action.field('phone')}
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
