import { graphql } from '../../graphql/graphql.ts';
import { Pill } from '../../ui/pill.tsx';

export const AnyDelivery = graphql(`
  subscription AnyDelivery($webhookId: ID) { webhookDeliveries(webhookId: $webhookId) { eventId status } }
`);

interface Endpoint {
  active: boolean;
  failingSince: string | null;
  deactivatedReason: string | null;
  lastDeliveryStatus: string | null;
}

export function EndpointState({
  of: { active, failingSince, deactivatedReason, lastDeliveryStatus },
}: {
  of: Endpoint;
}) {
  if (!active)
    return (
      <Pill tone={deactivatedReason ? 'bad' : 'quiet'}>
        {deactivatedReason ? 'Disabled automatically' : 'Switched off'}
      </Pill>
    );
  if (failingSince) return <Pill tone="bad">Failing</Pill>;
  if (!lastDeliveryStatus) return <Pill tone="info">No deliveries yet</Pill>;
  return <Pill tone="good">Healthy</Pill>;
}
