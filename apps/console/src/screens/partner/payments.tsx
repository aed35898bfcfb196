import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCash, IconPlus } from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { graphql } from '../../graphql/graphql.ts';
import { type Place, usePages } from '../../graphql/use-pages.ts';
import { useBusiness } from '../../session/live-business.tsx';
import { money } from '../../text/format.ts';
import { paymentStates, stateOf } from '../../text/labels.ts';
import { useCommand } from '../../ui/commands.ts';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PaymentState } from '../../ui/state-pill.tsx';
import { Empty } from '../../ui/states.tsx';
import { MinuteTime } from '../../ui/time.tsx';
import classes from './partner.module.css';
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
const PAGE = 25;

export function PartnerPaymentsScreen() {
  const { after, before } = route.useSearch();
  const navigate = useNavigate();
  const [opened, { open, close }] = useDisclosure();
  useCommand('record-payment', open);
  const go = (search: Place) => void navigate({ to: '/partner/payments', search });
  const read = usePages(PartnerPayments, PAGE, { after, before }, {});
  useBusiness(['paid'], read.reload);
  return (
    <Page
      title="Payments"
      intro="Payments for your centers. A successful payment ends the trial or clears the overdue balance; a failed one makes the subscription past due."
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={open}>
          Record payment
        </Button>
      }
    >
      <Panel flush>
        <PagedTable
          of={read}
          list={({ partnerPayments }) => partnerPayments}
          empty={
            <Empty icon={<IconCash />} title="No payments yet">
              Payments appear here as soon as they are reported.
            </Empty>
          }
          label="Payments"
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'Center',
              text: ({ center }) => center?.name,
              cell: ({ center, reference }) => (
                <>
                  <strong>{center?.name}</strong>
                  <span className={classes.place}>{reference}</span>
                </>
              ),
            },
            {
              name: 'Status',
              text: ({ status }) => stateOf(paymentStates, status)[0],
              cell: ({ status, failureReason }) => (
                <>
                  <PaymentState status={status} />
                  {failureReason && <span className={classes.place}>{failureReason}</span>}
                </>
              ),
            },
            { name: 'Reference', fileOnly: true, cell: ({ reference }) => reference },
            { name: 'Amount', right: true, cell: ({ amount, currency }) => money(amount, currency) },
            { name: 'When', right: true, cell: ({ occurredAt }) => <MinuteTime at={occurredAt} /> },
          ]}
          onPage={go}
        />
      </Panel>
      <RecordPayment opened={opened} onClose={close} onDone={read.reload} />
    </Page>
  );
}
