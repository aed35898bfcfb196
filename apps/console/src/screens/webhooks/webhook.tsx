import { Button, Group, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { IconDots, IconMailForward } from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { memo, useCallback, useMemo, useState } from 'react';
import { useAction } from '../../graphql/use-action.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { Facts } from '../../ui/facts.tsx';
import { choicesOf, Filters } from '../../ui/filters.tsx';
import { BackLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { PanelsSkeleton } from '../../ui/skeletons.tsx';
import { StatePill } from '../../ui/state-pill.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { Ago, agoColumn, Countdown, ExactTime } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import {
  AnyDelivery,
  DeleteEndpoint,
  Deliveries,
  type DeliveryRow,
  type DeliveryStatus,
  type Endpoint,
  endpointState,
  OneDelivery,
  OneEndpoint,
  RotateSecret,
  SwitchEndpoint,
} from './endpoint.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { Recover } from './recover.tsx';
import { Sample } from './sample.tsx';
import { VerifyCode } from './verify-code.tsx';

const route = getRouteApi('/inside/c/$center/webhooks/$id');
const results = choicesOf({ success: 'Delivered', failed: 'Failed' });
const selects = { status: ['Result', 'All deliveries', results] } as const;

export default function WebhookScreen() {
  const { center, id } = route.useParams();
  const read = useRead(OneEndpoint, { id });
  useAuditEvents('webhook.changed', read.reload);
  return (
    <Loaded of={read} page="Webhook" skeleton={<PanelsSkeleton lines={[5, 8]} />}>
      {({ webhook }) => (
        <Page
          title={webhook.description || webhook.url}
          badge={<StatePill of={endpointState(webhook)} />}
          intro={webhook.description ? webhook.url : undefined}
          back={<BackLink to="/c/$center/webhooks" params={{ center }} label="Webhooks" />}
          actions={<EndpointActions endpoint={webhook} onDone={read.reload} />}
        >
          <Panel title="Endpoint">
            <Facts
              wide
              of={{
                Events: webhook.events.includes('*') ? 'Everything' : webhook.events.join(', '),
                'Last delivery': webhook.lastDeliveryAt ? <Ago at={webhook.lastDeliveryAt} /> : 'Never',
                'Failing since': webhook.failingSince && <Ago at={webhook.failingSince} />,
                'Disabled because': webhook.deactivatedReason,
                'Previous secret': webhook.previousSecretExpiresAt &&
                  Date.parse(webhook.previousSecretExpiresAt) > Date.now() && (
                    <>
                      signs too, for <Countdown until={webhook.previousSecretExpiresAt} /> more
                    </>
                  ),
                Created: <ExactTime at={webhook.createdAt} />,
              }}
            />
          </Panel>
          <DeliveryList id={id} events={webhook.events} onDelivery={read.reload} />
          <VerifyCode />
        </Page>
      )}
    </Loaded>
  );
}

interface DeliveryListProps {
  id: string;
  events: string[];
  /** Deliveries change the state of the endpoint above the list. */
  onDelivery: () => void;
}

/** A separate component, so that turning pages does not render the rest of the page. */
const DeliveryList = memo(function DeliveryList({ id, events, onDelivery }: DeliveryListProps) {
  const read = useList(Deliveries, route.useSearch(), (shown) => ({
    webhookId: id,
    status: shown.status as DeliveryStatus,
  }));
  const { change } = read;
  const { status, event } = read.shown;
  // A separate query: a shared link opens the delivery on whichever page of the list it is.
  const opened = useRead(OneDelivery, { webhookId: id, eventId: event ?? '' }, { pause: !event });
  const { reload: readAgain } = read;
  const { reload: readOpened } = opened;
  const reload = useCallback(() => {
    readAgain();
    readOpened();
    onDelivery();
  }, [readAgain, readOpened, onDelivery]);
  const close = useCallback(() => change({ event: undefined }), [change]);
  useLive(AnyDelivery, { webhookId: id }, reload, { onReturn: reload });
  const columns = useMemo(() => columnsOf((eventId) => change({ event: eventId })), [change]);
  return (
    <>
      <Filters of={read} selects={selects} />
      <PagedTable
        title="Deliveries"
        actions={<RecoverButton webhookId={id} />}
        of={read}
        empty={
          <Empty
            small
            icon={<IconMailForward />}
            title={status ? 'No matching entries' : 'No deliveries yet'}
            action={<Sample webhookId={id} events={events} />}
          >
            Send a sample event to test the endpoint.
          </Empty>
        }
        label="Deliveries"
        linked
        keyOf={({ eventId }) => eventId}
        columns={columns}
      />
      <DeliveryDrawer of={event ? opened : null} onClose={close} onDone={reload} />
    </>
  );
});

const RecoverButton = memo(Recover);

const columnsOf = (open: (eventId: string) => void): Column<DeliveryRow>[] => [
  {
    name: 'Event',
    text: ({ eventType }) => eventType,
    cell: ({ eventId, eventType }) => (
      <button type="button" className="row-button" onClick={() => open(eventId)}>
        <strong className="mono">{eventType}</strong>
        <span>{eventId}</span>
      </button>
    ),
  },
  { name: 'Message id', fileOnly: true, cell: ({ eventId }) => eventId },
  { name: 'Status', text: ({ status }) => status, cell: (delivery) => <DeliveryState of={delivery} /> },
  { name: 'Answer', cell: ({ responseStatus }) => responseStatus ?? 'None' },
  { name: 'Attempts', right: true, cell: ({ attempts }) => attempts },
  agoColumn('Last attempt', ({ lastAttemptAt }) => lastAttemptAt, ''),
];

function DeliveryState({ of: { status, nextRetryAt } }: { of: DeliveryRow }) {
  if (status === 'success') return <Pill tone="good">Delivered</Pill>;
  if (nextRetryAt) {
    return (
      <Pill tone="warn">
        Again in <Countdown until={nextRetryAt} />
      </Pill>
    );
  }
  return <Pill tone="bad">Given up</Pill>;
}

function EndpointActions({ endpoint, onDone }: { endpoint: Endpoint; onDone: () => void }) {
  const { center } = route.useParams();
  const navigate = useNavigate();
  const [editing, { open, close }] = useDisclosure();
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useAction(RotateSecret);
  const flip = useAction(SwitchEndpoint, { done: endpoint.active ? 'Switched off.' : 'Switched on.' });
  const remove = useAction(DeleteEndpoint, { done: 'The endpoint was deleted.' });
  const { id, active } = endpoint;
  const askRotate = () =>
    modals.openConfirmModal({
      title: 'Rotate the signing secret?',
      children: 'For 24 hours, messages carry the signatures of both secrets.',
      labels: { confirm: 'Rotate', cancel: 'Cancel' },
      onConfirm: async () => {
        const done = await rotate.run({ input: { id } });
        if (done) setSecret(done.rotateWebhookSecret.signingSecret);
        onDone();
      },
    });
  const askDelete = () =>
    modals.openConfirmModal({
      title: 'Delete the endpoint?',
      children: 'It receives no further events, and its delivery log can no longer be opened.',
      labels: { confirm: 'Delete', cancel: 'Keep' },
      confirmProps: { color: 'red' },
      onConfirm: async () => {
        if (await remove.run({ input: { id } }))
          void navigate({ to: '/c/$center/webhooks', params: { center } });
      },
    });
  return (
    <Group gap={8}>
      {active && <Sample webhookId={id} events={endpoint.events} />}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconDots size={16} />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={open}>Change</Menu.Item>
          <Menu.Item
            onClick={() => void flip.run({ input: { id, changes: { active: !active } } }).then(onDone)}
          >
            {active ? 'Switch off' : 'Switch on'}
          </Menu.Item>
          <Menu.Item onClick={askRotate}>Rotate secret</Menu.Item>
          <Menu.Item color="var(--cs-bad)" onClick={askDelete}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <EndpointForm key={endpoint.url} opened={editing} onClose={close} of={endpoint} onChanged={onDone} />
      <SecretDialog
        title="New signing secret"
        value={secret}
        onClose={() => setSecret(null)}
        hint="The previous secret stays valid for 24 hours."
      />
    </Group>
  );
}
