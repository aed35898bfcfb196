import { Select, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAction } from '../../graphql/use-action.ts';
import { useRoleNames } from '../../session/session-context.ts';
import { memberRoles, type RoleNames } from '../../text/roles.ts';
import { type DialogProps, FormDialog, isEmail } from '../../ui/form-dialog.tsx';
import { InviteMember, type Role } from './members.ts';

const roleHints = (roles: RoleNames): Record<string, string> => ({
  ADMIN: 'Manages people, keys, policies and approvals.',
  INSTRUCTOR: 'Works with hours, bookings, workflows and records.',
  PARENT: `Sees and books for the ${roles.manyInText('CHILD')} they look after.`,
  CHILD: `Sees their own bookings. Represented by a ${roles.oneInText('PARENT')}.`,
});

export function Invite(dialog: DialogProps) {
  const roles = useRoleNames();
  const act = useAction(InviteMember, { quiet: true, done: 'The invitation was sent.' });
  const form = useForm({
    initialValues: { email: '', name: '', role: 'INSTRUCTOR', specialties: [] as string[] },
    validate: { email: isEmail },
  });
  const save = ({ email, name, role, specialties }: typeof form.values) =>
    act.run({
      input: {
        email: email.trim(),
        name: name.trim() || undefined,
        role: role as Role,
        ...(role === 'INSTRUCTOR' && specialties.length > 0 && { specialties }),
      },
    });
  return (
    <FormDialog {...dialog} title="Invite person" form={form} act={act} save={save} verb="Send invitation">
      <TextInput label="Email" required data-autofocus {...form.getInputProps('email')} />
      <TextInput label="Name" description="They can change it later." {...form.getInputProps('name')} />
      <Select
        label="Role"
        allowDeselect={false}
        description={roleHints(roles)[form.values.role]}
        data={memberRoles.map((value) => ({ value, label: roles.one(value) }))}
        {...form.getInputProps('role')}
      />
      {form.values.role === 'INSTRUCTOR' && (
        <TagsInput
          label="Specialties"
          description="Press Enter after each."
          {...form.getInputProps('specialties')}
        />
      )}
    </FormDialog>
  );
}
