import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';
import type { State } from '../../text/labels.ts';

export const OneEndpoint = graphql(`
  query OneEndpoint($id: ID!) {
    webhook(id: $id) {
      id
      url
      description
      events
      active
      failingSince
      deactivatedReason
      lastDeliveryAt
      lastDeliveryStatus
      previousSecretExpiresAt
      createdAt
    }
  }
`);

export const Deliveries = graphql(`
  query Deliveries(
    $webhookId: ID!, $status: DeliveryStatus, $first: Int, $last: Int, $after: String, $before: String
  ) {
    webhookDeliveries(
      webhookId: $webhookId, status: $status, first: $first, last: $last, after: $after, before: $before
    ) {
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges {
        node {
          eventId
          eventType
          status
          responseStatus
          attempts
          nextRetryAt
          lastAttemptAt
        }
      }
    }
  }
`);

export const OneDelivery = graphql(`
  query OneDelivery($webhookId: ID!, $eventId: ID!) {
    webhookDelivery(webhookId: $webhookId, eventId: $eventId) {
      eventId
      eventType
      nextRetryAt
      deliveredAt
      payload
      attemptLog { number startedAt durationMs responseStatus responseBody error }
    }
  }
`);

export const Catalog = graphql(`query Catalog { eventCatalogue { type description } }`);

export const AnyDelivery = graphql(`
  subscription AnyDelivery($webhookId: ID) { webhookDeliveries(webhookId: $webhookId) { eventId status } }
`);

export type Endpoint = ResultOf<typeof OneEndpoint>['webhook'];

/** The state of an endpoint, from its settings and its latest deliveries. */
export function endpointState(
  endpoint: Pick<Endpoint, 'active' | 'failingSince' | 'deactivatedReason' | 'lastDeliveryStatus'>,
): State {
  const { active, failingSince, deactivatedReason, lastDeliveryStatus } = endpoint;
  if (!active) return deactivatedReason ? ['Disabled automatically', 'bad'] : ['Switched off', 'quiet'];
  if (failingSince) return ['Failing', 'bad'];
  return lastDeliveryStatus ? ['Healthy', 'good'] : ['No deliveries yet', 'info'];
}

export type DeliveryRow = ResultOf<typeof Deliveries>['webhookDeliveries']['edges'][number]['node'];
export type Delivery = ResultOf<typeof OneDelivery>['webhookDelivery'];
export type DeliveryStatus = VariablesOf<typeof Deliveries>['status'];

export const RotateSecret = graphql(`
  mutation RotateSecret($input: WebhookRef!) {
    rotateWebhookSecret(input: $input) { signingSecret webhook { id previousSecretExpiresAt } }
  }
`);
export const SwitchEndpoint = graphql(`
  mutation SwitchEndpoint($input: UpdateWebhookInput!) { updateWebhook(input: $input) { id active } }
`);
export const DeleteEndpoint = graphql(
  `mutation DeleteEndpoint($input: WebhookRef!) { deleteWebhook(input: $input) { id } }`,
);
export const ResendEvent = graphql(`
  mutation ResendEvent($input: RetryEventInput!) { retryEvent(input: $input) { eventId } }
`);
export const RecoverSince = graphql(`
  mutation RecoverSince($input: RecoverWebhookInput!) { recoverWebhook(input: $input) { queued hasMore until } }
`);
export const SendSample = graphql(`
  mutation SendSample($input: SendSampleEventInput!) { sendSampleEvent(input: $input) { eventId } }
`);
