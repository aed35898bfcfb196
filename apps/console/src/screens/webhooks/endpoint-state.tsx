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

function stateOf({ active, failingSince, deactivatedReason, lastDeliveryStatus }: Endpoint) {
  if (!active) {
    return deactivatedReason
      ? (['Disabled automatically', 'bad'] as const)
      : (['Switched off', 'quiet'] as const);
  }
  if (failingSince) return ['Failing', 'bad'] as const;
  if (!lastDeliveryStatus) return ['No deliveries yet', 'info'] as const;
  return ['Healthy', 'good'] as const;
}

export const endpointLabel = (endpoint: Endpoint) => stateOf(endpoint)[0];

export function EndpointState({ of: endpoint }: { of: Endpoint }) {
  const [words, tone] = stateOf(endpoint);
  return <Pill tone={tone}>{words}</Pill>;
}
