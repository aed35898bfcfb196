import { IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { hasFeature, useCenter, useSession } from '../../session/session-context.ts';
import { headlineOf } from '../../text/labels.ts';
import { TextLink } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { Empty, Lines, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Ago, Countdown } from '../../ui/time.tsx';

const RecentFailures = graphql(`
  query RecentFailures($webhooks: Boolean!, $workflows: Boolean!) {
    webhooks(first: 100) @include(if: $webhooks) {
      edges { node { id url active failingSince deactivatedReason lastDeliveryAt } }
    }
    workflowExecutions(first: 10, status: FAILED) @include(if: $workflows) {
      edges { node { id error completedAt startedAt workflow { id name } } }
    }
    approvalsForMe(first: 100) {
      edges { node { eventId event { createdAt expiresAt action { type description } } } }
    }
  }
`);

interface RecentFailure {
  key: string;
  kind: string;
  what: ReactNode;
  why: ReactNode;
  since: string;
}

const DAYS_SHOWN = 7;
const HOUR_MS = 3_600_000;

/** Requests that expire soon, and silent failures: webhooks that are not accepted, workflows that failed. */
export function NeedsAttention() {
  const { centerDomain: center } = useCenter();
  const session = useSession();
  const read = useRead(RecentFailures, {
    webhooks: hasFeature(session, 'webhooks'),
    workflows: hasFeature(session, 'workflows'),
  });
  useAuditEvents('any', read.reload);
  return (
    <Panel title="Needs attention" flush>
      <Loaded of={read} skeleton={<Lines count={3} />} small>
        {({ webhooks, workflowExecutions, approvalsForMe }) => {
          const recent = Date.now() - DAYS_SHOWN * 86_400_000;
          const soon = Date.now() + HOUR_MS;
          const failures: RecentFailure[] = [
            ...approvalsForMe.edges.flatMap(({ node: { eventId, event } }) =>
              event.expiresAt && Date.parse(event.expiresAt) < soon
                ? [
                    {
                      key: eventId,
                      kind: 'Request expires',
                      what: (
                        <TextLink to="/c/$center/approvals" params={{ center }} search={{ event: eventId }}>
                          {headlineOf(event.action)}
                        </TextLink>
                      ),
                      why: (
                        <>
                          It is rejected in <Countdown until={event.expiresAt} /> unless you decide it
                        </>
                      ),
                      since: event.createdAt,
                    },
                  ]
                : [],
            ),
            ...(webhooks?.edges ?? []).flatMap(
              ({ node: { id, url, active, failingSince, deactivatedReason, lastDeliveryAt } }) =>
                failingSince || deactivatedReason
                  ? [
                      {
                        key: id,
                        kind: active ? 'Webhook fails' : 'Webhook disabled',
                        what: (
                          <TextLink to="/c/$center/webhooks/$id" params={{ center, id }}>
                            {url}
                          </TextLink>
                        ),
                        why: deactivatedReason ?? 'No successful delivery since then',
                        since: failingSince ?? lastDeliveryAt ?? '',
                      },
                    ]
                  : [],
            ),
            ...(workflowExecutions?.edges ?? [])
              .filter(({ node }) => Date.parse(node.startedAt) > recent)
              .map(({ node: { id, error, workflow, completedAt, startedAt } }) => ({
                key: id,
                kind: 'Workflow failed',
                what: (
                  <TextLink
                    to="/c/$center/workflows/$id/runs/$run"
                    params={{ center, id: workflow.id, run: id }}
                  >
                    {workflow.name}
                  </TextLink>
                ),
                why: error ?? 'No reason given',
                since: completedAt ?? startedAt,
              })),
          ];
          if (failures.length === 0) {
            return (
              <Empty small icon={<IconCircleCheck />} title="Everything works">
                No request expires within an hour, no webhook fails, and no workflow broke off in the last{' '}
                {DAYS_SHOWN} days.
              </Empty>
            );
          }
          return (
            <Table
              label="Needs attention"
              linked
              keyOf={({ key }) => key}
              rows={failures}
              columns={[
                { name: 'What', cell: ({ what }) => what },
                { name: 'Kind', cell: ({ kind }) => <Pill tone="bad">{kind}</Pill> },
                { name: 'Why', cell: ({ why }) => why },
                { name: 'Since', right: true, cell: ({ since }) => since && <Ago at={since} /> },
              ]}
            />
          );
        }}
      </Loaded>
    </Panel>
  );
}
