import { Button, Modal, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAction } from '../../graphql/use-action.ts';
import { useRoleNames } from '../../session/session-context.ts';
import { memberRoles, type RoleNames } from '../../text/roles.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { InviteMember, type Role } from './members.ts';

const roleHints = (roles: RoleNames): Record<string, string> => ({
  ADMIN: 'Manages people, keys, policies and approvals.',
  INSTRUCTOR: 'Works with hours, bookings, workflows and records.',
  PARENT: `Sees and books for the ${roles.manyInText('CHILD')} they look after.`,
  CHILD: `Sees their own bookings. Represented by a ${roles.oneInText('PARENT')}.`,
});

export function Invite({
  opened,
  onClose,
  onDone,
}: {
  opened: boolean;
  onClose: () => void;
  onDone: () => void;
}) {
  const roles = useRoleNames();
  const act = useAction(InviteMember, { quiet: true, done: 'The invitation was sent.' });
  const form = useForm({
    initialValues: { email: '', name: '', role: 'INSTRUCTOR', specialties: [] as string[] },
    validate: { email: (value) => (/^\S+@\S+$/.test(value.trim()) ? null : 'Enter an email address.') },
  });
  const submit = form.onSubmit(async ({ email, name, role, specialties }) => {
    const input = {
      email: email.trim(),
      name: name.trim() || undefined,
      role: role as Role,
      ...(role === 'INSTRUCTOR' && specialties.length > 0 && { specialties }),
    };
    if (!(await act.run({ input }))) return;
    form.reset();
    onClose();
    onDone();
  });
  return (
    <Modal opened={opened} onClose={onClose} title="Invite person">
      <form onSubmit={submit} noValidate>
        <Stack>
          <FailureNote failure={act.failure} />
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
          <Button type="submit" loading={act.busy}>
            Send invitation
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
