import { Select, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserCheck } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { graphql, type VariablesOf } from '../../graphql/graphql.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { choicesOf } from '../../ui/filters.tsx';
import { type DialogProps, FormDialog, filled, useActionForm } from '../../ui/form-dialog.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Empty } from '../../ui/states.tsx';
import { MinuteTime } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { type Person, PersonSelect } from '../people/person-select.tsx';

const Attendances = graphql(`
  query Attendances($first: Int, $last: Int, $after: String, $before: String) {
    attendances(first: $first, last: $last, after: $after, before: $before) {
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { node { id attendeeName sessionRef method dpuId occurredAt } }
    }
  }
`);
const Confirm = graphql(`
  mutation ConfirmAttendance($input: RecordAttendanceInput!) { recordAttendance(input: $input) { id } }
`);

type Method = VariablesOf<typeof Confirm>['input']['method'];

const methods: Record<Method, string> = {
  manual: 'Confirmed by the center',
  qr: 'Scanned code',
  workshop: 'List of the workshop',
};

const route = getRouteApi('/inside/c/$center/attendance');

export default function AttendanceScreen() {
  const { center } = route.useParams();
  const [opened, { open, close }] = useDisclosure();
  const read = useList(Attendances, route.useSearch(), () => ({}));
  useAuditEvents('any', read.reload);
  return (
    <Page
      title="Attendance"
      intro="Who attended which session, each with a record that proves it."
      actions={<NewButton onClick={open}>Confirm attendance</NewButton>}
    >
      <PagedTable
        of={read}
        empty={
          <Empty icon={<IconUserCheck />} title="No attendance yet">
            Confirm that a member attended a session.
          </Empty>
        }
        label="Attendance"
        linked
        columns={[
          {
            name: 'Person',
            text: ({ attendeeName }) => attendeeName ?? 'No longer a member',
            href: ({ dpuId }) => `/c/${center}/records/${dpuId}`,
          },
          { name: 'Session', cell: ({ sessionRef }) => sessionRef },
          { name: 'Method', wideOnly: true, cell: ({ method }) => methods[method as Method] ?? method },
          { name: 'When', right: true, cell: ({ occurredAt }) => <MinuteTime at={occurredAt} /> },
        ]}
      />
      <ConfirmDialog opened={opened} onClose={close} onDone={read.reload} />
    </Page>
  );
}

function ConfirmDialog(dialog: DialogProps) {
  const action = useActionForm(Confirm, {
    done: 'The attendance was confirmed.',
    initialValues: { attendee: null as Person | null, sessionRef: '', method: 'manual' as Method },
    validate: { sessionRef: filled('Enter the session.') },
    input: ({ attendee, ...values }) => ({ ...values, attendeeId: attendee?.actorId ?? '' }),
  });
  const { attendee } = action.form.values;
  return (
    <FormDialog
      {...dialog}
      {...action}
      title="Confirm attendance"
      verb="Confirm attendance"
      disabled={!attendee}
    >
      <PersonSelect
        label="Attendee"
        value={attendee}
        onChange={(person) => action.form.setFieldValue('attendee', person)}
      />
      <TextInput
        label="Session"
        description="The name or number of the session."
        {...action.field('sessionRef')}
      />
      <Select label="Method" allowDeselect={false} data={choicesOf(methods)} {...action.field('method')} />
    </FormDialog>
  );
}
