import { Select, TagsInput, TextInput } from '@mantine/core';
import { useRoleNames } from '../../session/session-context.ts';
import { memberRoles, type RoleNames } from '../../text/roles.ts';
import { type DialogProps, FormDialog, isEmail, useActionForm } from '../../ui/form-dialog.tsx';
import { InviteMember, type Role } from './members.ts';

const roleHints = (roles: RoleNames): Record<string, string> => ({
  ADMIN: 'Manages people, keys, policies and approvals.',
  INSTRUCTOR: 'Works with hours, bookings, workflows and records.',
  PARENT: `Sees and books for the ${roles.manyInText('CHILD')} they look after.`,
  CHILD: `Sees their own bookings. Represented by a ${roles.oneInText('PARENT')}.`,
});

export function Invite(dialog: DialogProps) {
  const roles = useRoleNames();
  const action = useActionForm(InviteMember, {
    done: 'The invitation was sent.',
    initialValues: { email: '', name: '', role: 'INSTRUCTOR', specialties: [] as string[] },
    validate: { email: isEmail },
    input: ({ email, name, role: chosen, specialties }) => ({
      email: email.trim(),
      name: name.trim() || undefined,
      role: chosen as Role,
      ...(chosen === 'INSTRUCTOR' && specialties.length > 0 && { specialties }),
    }),
  });
  const { role } = action.form.values;
  return (
    <FormDialog {...dialog} {...action} draft="invitation" title="Invite person" verb="Send invitation">
      <TextInput label="Email" required data-autofocus {...action.field('email')} />
      <TextInput label="Name" description="They can change it later." {...action.field('name')} />
      <Select
        label="Role"
        allowDeselect={false}
        description={roleHints(roles)[role]}
        data={memberRoles.map((value) => ({ value, label: roles.one(value) }))}
        {...action.field('role')}
      />
      {role === 'INSTRUCTOR' && (
        <TagsInput
          label="Specialties"
          description="Press Enter after each."
          {...action.field('specialties')}
        />
      )}
    </FormDialog>
  );
}
