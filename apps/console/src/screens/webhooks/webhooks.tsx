import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { useCommand } from '../../ui/commands.ts';
import { TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { AnyDelivery, EndpointState, endpointLabel } from './endpoint-state.tsx';

const Endpoints = graphql(`
  query Endpoints {
    webhooks(first: 100) {
      edges { node { id url description events active failingSince deactivatedReason lastDeliveryAt lastDeliveryStatus } }
    }
  }
`);

const route = getRouteApi('/inside/c/$center/webhooks');

export function WebhooksScreen() {
  const { center } = route.useParams();
  const navigate = useNavigate();
  const read = useRead(Endpoints, {});
  useAuditEvents('webhook.changed', read.reload);
  useLive(AnyDelivery, {}, read.reload, { onReturn: read.reload });
  const [opened, { open, close }] = useDisclosure();
  useCommand('new-webhook', open);
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null);
  return (
    <Page
      title="Webhooks"
      intro="Notify other systems with signed events. Failed deliveries are retried."
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={open}>
          New endpoint
        </Button>
      }
    >
      <Panel flush>
        <Loaded of={read} skeleton={<TableSkeleton columns={4} count={3} />}>
          {({ webhooks: { edges } }) =>
            edges.length === 0 ? (
              <Empty
                icon={<IconWebhook />}
                title="No endpoints yet"
                action={<Button onClick={open}>Add your first endpoint</Button>}
              >
                Enter a URL that accepts POST requests, and choose its events.
              </Empty>
            ) : (
              <Table
                label="Endpoints"
                linked
                exportable
                keyOf={({ id }) => id}
                rows={edges.map(({ node }) => node)}
                columns={[
                  {
                    name: 'Endpoint',
                    text: ({ url }) => url,
                    cell: ({ id, url, description }) => (
                      <span>
                        <TextLink to="/c/$center/webhooks/$id" params={{ center, id }}>
                          {description || url}
                        </TextLink>
                        {description && (
                          <span
                            style={{ display: 'block', fontSize: 13, color: 'var(--mantine-color-dimmed)' }}
                          >
                            {url}
                          </span>
                        )}
                      </span>
                    ),
                  },
                  {
                    name: 'Events',
                    cell: ({ events }) => (events.includes('*') ? 'Everything' : events.join(', ')),
                  },
                  {
                    name: 'Health',
                    text: endpointLabel,
                    cell: (endpoint) => <EndpointState of={endpoint} />,
                  },
                  {
                    name: 'Last delivery',
                    right: true,
                    text: ({ lastDeliveryAt }) => lastDeliveryAt,
                    cell: ({ lastDeliveryAt }) => (lastDeliveryAt ? <Ago at={lastDeliveryAt} /> : 'Never'),
                  },
                ]}
              />
            )
          }
        </Loaded>
      </Panel>
      <EndpointForm opened={opened} onClose={close} onMade={(id, secret) => setMade({ id, secret })} />
      <SecretDialog
        title="Signing secret"
        value={made?.secret ?? null}
        hint="Use it to verify messages. It is shown only once; you can rotate it at any time."
        onClose={() => {
          const id = made!.id;
          setMade(null);
          void navigate({ to: '/c/$center/webhooks/$id', params: { center, id } });
        }}
      />
    </Page>
  );
}
