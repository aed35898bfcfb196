import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconWebhook } from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { useCommand } from '../../ui/commands.ts';
import { TextLink } from '../../ui/link.tsx';
import { LoadedTable } from '../../ui/loaded-table.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { stateColumn } from '../../ui/state-pill.tsx';
import { Empty } from '../../ui/states.tsx';
import { agoColumn } from '../../ui/time.tsx';
import { AnyDelivery, endpointState } from './endpoint.ts';
import { EndpointForm } from './endpoint-form.tsx';

const Endpoints = graphql(`
  query Endpoints {
    webhooks(first: 100) {
      edges { node { id url description events active failingSince deactivatedReason lastDeliveryAt lastDeliveryStatus } }
    }
  }
`);

type Endpoint = ResultOf<typeof Endpoints>['webhooks']['edges'][number]['node'];

const route = getRouteApi('/inside/c/$center/webhooks');

export default function WebhooksScreen() {
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
      actions={<NewButton onClick={open}>New endpoint</NewButton>}
    >
      <Panel flush>
        <LoadedTable
          of={read}
          rows={({ webhooks: { edges } }) => edges.map(({ node }) => node)}
          empty={
            <Empty
              icon={<IconWebhook />}
              title="No endpoints yet"
              action={<Button onClick={open}>Add your first endpoint</Button>}
            >
              Enter a URL that accepts POST requests, and choose its events.
            </Empty>
          }
          label="Endpoints"
          linked
          exportable
          columns={[
            {
              name: 'Endpoint',
              text: ({ url }) => url,
              cell: ({ id, url, description }) => (
                <span>
                  <TextLink to="/c/$center/webhooks/$id" params={{ center, id }}>
                    {description || url}
                  </TextLink>
                  {description && <span className="subline">{url}</span>}
                </span>
              ),
            },
            {
              name: 'Events',
              cell: ({ events }) => (events.includes('*') ? 'Everything' : events.join(', ')),
            },
            stateColumn<Endpoint>('Health', endpointState),
            agoColumn<Endpoint>('Last delivery', ({ lastDeliveryAt }) => lastDeliveryAt),
          ]}
        />
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
