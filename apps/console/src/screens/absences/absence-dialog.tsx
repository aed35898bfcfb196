import { Group, Select, TextInput } from '@mantine/core';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { momentIn } from '../../text/time.ts';
import { type DialogProps, FormDialog, filled, useActionForm } from '../../ui/form-dialog.tsx';
import { useTimes } from '../../ui/zone.tsx';

const Colleagues = graphql(`query PossibleDelegates { possibleDelegates { membershipId name } }`);
const Delegate = graphql(`
  mutation Delegate($input: DelegateApprovalsInput!) { delegateApprovals(input: $input) { id } }
`);

/** Records an absence of the caller, and the delegate who approves meanwhile. */
export function AbsenceDialog(dialog: DialogProps) {
  const { zone } = useTimes();
  const people = useRead(Colleagues, {}, { pause: !dialog.opened });
  const action = useActionForm(Delegate, {
    done: 'Your absence is recorded. Your delegate can approve for you in that time.',
    initialValues: { to: '', from: '', until: '', reason: '' },
    validate: {
      to: filled('Choose a colleague.'),
      from: filled('Say when it begins.'),
      until: (value, { from }) => (value && value > from ? null : 'Must be later than the beginning.'),
      reason: filled('Say why, for example: holiday.'),
    },
    input: ({ to, from, until, reason }) => ({
      toMembershipId: to,
      from: momentIn(zone, from),
      until: momentIn(zone, until),
      reason: reason.trim(),
    }),
  });
  const colleagues = people.data?.possibleDelegates ?? [];
  return (
    <FormDialog {...dialog} {...action} title="Record absence" verb="Record absence">
      <Select
        label="Delegate"
        description="Administrators, and members of your approval groups."
        searchable
        required
        data={colleagues.map(({ membershipId, name }) => ({ value: membershipId, label: name }))}
        {...action.field('to')}
      />
      <Group grow align="flex-start">
        <TextInput label="From" type="datetime-local" required {...action.field('from')} />
        <TextInput label="Until" type="datetime-local" required {...action.field('until')} />
      </Group>
      <TextInput label="Reason" placeholder="Holiday" required {...action.field('reason')} />
    </FormDialog>
  );
}
