import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { momentIn } from '../../text/time.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { useTimes } from '../../ui/zone.tsx';

const Colleagues = graphql(`query PossibleDelegates { possibleDelegates { membershipId name } }`);
const Delegate = graphql(`
  mutation Delegate($input: DelegateApprovalsInput!) { delegateApprovals(input: $input) { id } }
`);

interface AbsenceDialogProps {
  opened: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Records an absence of the caller, and the delegate who approves meanwhile. */
export function AbsenceDialog({ opened, onClose, onDone }: AbsenceDialogProps) {
  const { zone } = useTimes();
  const people = useRead(Colleagues, {}, { pause: !opened });
  const act = useAction(Delegate, {
    quiet: true,
    done: 'Your absence is recorded. Your delegate can approve for you in that time.',
  });
  const form = useForm({
    initialValues: { to: '', from: '', until: '', reason: '' },
    validate: {
      to: (value) => (value ? null : 'Choose a colleague.'),
      from: (value) => (value ? null : 'Say when it begins.'),
      until: (value, { from }) => (value && value > from ? null : 'Must be later than the beginning.'),
      reason: (value) => (value.trim() ? null : 'Say why, for example: holiday.'),
    },
  });
  const submit = form.onSubmit(async ({ to, from, until, reason }) => {
    const input = {
      toMembershipId: to,
      from: momentIn(zone, from),
      until: momentIn(zone, until),
      reason: reason.trim(),
    };
    if (!(await act.run({ input }))) return;
    form.reset();
    onClose();
    onDone();
  });
  const colleagues = people.data?.possibleDelegates ?? [];
  return (
    <Modal opened={opened} onClose={onClose} title="Record absence">
      <form onSubmit={submit} noValidate>
        <Stack>
          <FailureNote failure={act.failure} />
          <Select
            label="Delegate"
            description="Administrators, and members of your approval groups."
            searchable
            required
            data={colleagues.map(({ membershipId, name }) => ({ value: membershipId, label: name }))}
            {...form.getInputProps('to')}
          />
          <Group grow align="flex-start">
            <TextInput label="From" type="datetime-local" required {...form.getInputProps('from')} />
            <TextInput label="Until" type="datetime-local" required {...form.getInputProps('until')} />
          </Group>
          <TextInput label="Reason" placeholder="Holiday" required {...form.getInputProps('reason')} />
          <Button type="submit" loading={act.busy}>
            Record absence
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
