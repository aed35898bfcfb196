import { Group, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { momentIn } from '../../text/time.ts';
import { type DialogProps, FormDialog, filled } from '../../ui/form-dialog.tsx';
import { useTimes } from '../../ui/zone.tsx';

const Colleagues = graphql(`query PossibleDelegates { possibleDelegates { membershipId name } }`);
const Delegate = graphql(`
  mutation Delegate($input: DelegateApprovalsInput!) { delegateApprovals(input: $input) { id } }
`);

/** Records an absence of the caller, and the delegate who approves meanwhile. */
export function AbsenceDialog(dialog: DialogProps) {
  const { zone } = useTimes();
  const people = useRead(Colleagues, {}, { pause: !dialog.opened });
  const act = useAction(Delegate, {
    quiet: true,
    done: 'Your absence is recorded. Your delegate can approve for you in that time.',
  });
  const form = useForm({
    initialValues: { to: '', from: '', until: '', reason: '' },
    validate: {
      to: filled('Choose a colleague.'),
      from: filled('Say when it begins.'),
      until: (value, { from }) => (value && value > from ? null : 'Must be later than the beginning.'),
      reason: filled('Say why, for example: holiday.'),
    },
  });
  const save = ({ to, from, until, reason }: typeof form.values) =>
    act.run({
      input: {
        toMembershipId: to,
        from: momentIn(zone, from),
        until: momentIn(zone, until),
        reason: reason.trim(),
      },
    });
  const colleagues = people.data?.possibleDelegates ?? [];
  return (
    <FormDialog {...dialog} title="Record absence" form={form} act={act} save={save} verb="Record absence">
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
    </FormDialog>
  );
}
