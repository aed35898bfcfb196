import { useDisclosure } from '@mantine/hooks';
import { IconCash } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { graphql } from '../../graphql/graphql.ts';
import { useBusiness } from '../../session/live-business.tsx';
import { money } from '../../text/format.ts';
import { paymentStates, stateOf } from '../../text/labels.ts';
import { useCommand } from '../../ui/commands.ts';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { PaymentState } from '../../ui/state-pill.tsx';
import { Empty } from '../../ui/states.tsx';
import { MinuteTime } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { RecordPayment } from './record-payment.tsx';

const PartnerPayments = graphql(`
  query PartnerPayments($first: Int, $last: Int, $after: String, $before: String) {
    partnerPayments(first: $first, last: $last, after: $after, before: $before) {
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges {
        node { id status amount currency reference failureReason occurredAt center { name } }
      }
    }
  }
`);

const route = getRouteApi('/inside/partner/payments');

export default function PartnerPaymentsScreen() {
  const [opened, { open, close }] = useDisclosure();
  useCommand('record-payment', open);
  const read = useList(PartnerPayments, route.useSearch(), () => ({}));
  useBusiness(['paid'], read.reload);
  return (
    <Page
      title="Payments"
      intro="Payments for your centers. A successful payment ends the trial or clears the overdue balance; a failed one makes the subscription past due."
      actions={<NewButton onClick={open}>Record payment</NewButton>}
    >
      <PagedTable
        of={read}
        empty={
          <Empty icon={<IconCash />} title="No payments yet">
            Payments appear here as soon as they are reported.
          </Empty>
        }
        label="Payments"
        columns={[
          { name: 'Center', text: ({ center }) => center?.name ?? null, below: ({ reference }) => reference },
          {
            name: 'Status',
            text: ({ status }) => stateOf(paymentStates, status)[0],
            cell: ({ status, failureReason }) => (
              <>
                <PaymentState status={status} />
                {failureReason && <span className="subline">{failureReason}</span>}
              </>
            ),
          },
          { name: 'Reference', fileOnly: true, cell: ({ reference }) => reference },
          { name: 'Amount', right: true, cell: ({ amount, currency }) => money(amount, currency) },
          { name: 'When', right: true, cell: ({ occurredAt }) => <MinuteTime at={occurredAt} /> },
        ]}
      />
      <RecordPayment opened={opened} onClose={close} onDone={read.reload} />
    </Page>
  );
}
