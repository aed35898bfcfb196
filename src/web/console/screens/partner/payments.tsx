import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCash, IconPlus } from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PaymentState } from '../../ui/state-pill.tsx';
import { Empty, Lines, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useRefresh } from '../../ui/use-refresh.ts';
import { money } from '../../words/money.ts';
import { toTheMinute } from '../../words/time.ts';
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
  const go = (search: { after?: string; before?: string }) =>
    void navigate({ to: '/partner/payments', search });
  const read = useRead(PartnerPayments, before ? { last: PAGE, before } : { first: PAGE, after });
  useRefresh(read.reload);
  return (
    <Page
      title="Payments"
      intro="What was paid for your centers. A payment ends a trial or a debt; one that failed for good begins one."
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={open}>
          Record a payment
        </Button>
      }
    >
      <Panel flush>
        <Loaded of={read} skeleton={<Lines count={8} />}>
          {({ partnerPayments: { edges, pageInfo } }) =>
            edges.length === 0 ? (
              <Empty icon={<IconCash />} title="Nothing was paid yet">
                Payments show here as soon as your payment provider, or you, report them.
              </Empty>
            ) : (
              <>
                <Table
                  label="Payments"
                  keyOf={({ id }) => id}
                  rows={edges.map(({ node }) => node)}
                  columns={[
                    {
                      name: 'Center',
                      cell: ({ center, reference }) => (
                        <>
                          <strong>{center?.name}</strong>
                          <span className={classes.place}>{reference}</span>
                        </>
                      ),
                    },
                    {
                      name: 'Status',
                      cell: ({ status, failureReason }) => (
                        <>
                          <PaymentState status={status} />
                          {failureReason && <span className={classes.place}>{failureReason}</span>}
                        </>
                      ),
                    },
                    { name: 'Amount', right: true, cell: ({ amount, currency }) => money(amount, currency) },
                    { name: 'When', right: true, cell: ({ occurredAt }) => toTheMinute(occurredAt) },
                  ]}
                />
                <Pager
                  info={pageInfo}
                  onNext={(cursor) => go({ after: cursor })}
                  onPrevious={(cursor) => go({ before: cursor })}
                />
              </>
            )
          }
        </Loaded>
      </Panel>
      <RecordPayment opened={opened} onClose={close} onDone={read.reload} />
    </Page>
  );
}
