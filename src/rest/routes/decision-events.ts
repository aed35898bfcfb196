import type { ResultOf } from 'gql.tada';
import {
  addApprovalInput,
  listDecisionsInput,
  outcomeInput,
  recordDecisionInput,
} from '../../domain/decisions/input.ts';
import { doc } from '../../lib/doc.ts';
import { graphql } from '../../schema/document.ts';
import {
  APPROVALS,
  approvalOutcome,
  decisionClaim,
  decisionEvent,
  decisionEventSummary,
  decisionOutcome,
  prefixed,
  present,
  recordedEvent,
  showApproval,
} from '../proof-shapes.ts';
import { routesOf } from '../route.ts';
import { eventIdParam, pageLimit, proofData, proofPage, wholeNumber } from '../schemas.ts';

const EVENT = /* GraphQL */ `
  id decisionId type status
  actor { id type name }
  action { type description input output }
  aiContext { model provider confidence reasoning }
  tags occurredAt
  evidence { id status chainHash chainIndex }
  createdAt updatedAt argumentsDigest expiresAt claimedAt
  ${APPROVALS}
  outcome { status output recordedAt }` as const;

const EVENT_DOCUMENT = graphql(`query ($id: ID!) { decisionEvent(id: $id) { ${EVENT} } }`);

type Event = ResultOf<typeof EVENT_DOCUMENT>['decisionEvent'];

const showEvent = (event: Event) => {
  const { actor, action, aiContext, evidence, approvals, outcome, ...more } = event;
  const { argumentsDigest, expiresAt, claimedAt, ...rest } = more;
  return {
    ...rest,
    actor: present(actor),
    action: present(action),
    ...(aiContext && { aiContext: present(aiContext) }),
    evidence: { ...evidence, chainHash: prefixed(evidence.chainHash) },
    // Empty after the arguments are erased.
    ...(argumentsDigest && { argumentsDigest: prefixed(argumentsDigest) }),
    ...(expiresAt && { expiresAt }),
    ...(claimedAt && { claimedAt }),
    approvals: approvals.map(showApproval),
    ...(outcome && { outcome: present(outcome) }),
  };
};

/** A service without signing keys issues no receipt. */
const withReceipt = <T extends { receipt: string | null }>({ receipt, ...rest }: T) => ({
  ...rest,
  ...(receipt && { receipt }),
});

const offset = wholeNumber(/^\d{1,9}$/, 'must be a whole number from 0', { minimum: 0, default: 0 });

const route = routesOf({ tag: 'Proof', auth: 'key' });

export const decisionEventRoutes = [
  route({
    method: 'POST',
    path: '/v1/decision-events',
    operationId: 'recordDecisionEvent',
    summary: 'Record a decision of an agent, a system or a person',
    body: recordDecisionInput,
    document: graphql(`
      mutation ($input: RecordDecisionEventInput!) {
        recordDecisionEvent(input: $input) { created event { ${EVENT} receipt } }
      }`),
    variables: ({ body }) => ({ input: body }),
    project: ({
      recordDecisionEvent: {
        event: { receipt, ...event },
      },
    }) => ({
      data: withReceipt({ ...showEvent(event), receipt }),
    }),
    response: proofData(recordedEvent),
    status: ({ recordDecisionEvent: { created } }) => (created ? 201 : 200),
    statuses: [201, 200],
    errors: ['QUOTA_EXCEEDED'],
  }),
  route({
    method: 'GET',
    path: '/v1/decision-events',
    operationId: 'listDecisionEvents',
    summary: 'List decision events, newest first',
    query: listDecisionsInput.extend({
      limit: pageLimit.optional().meta(doc('How many items to return, 1 to 100. Default: 20.', 20)),
      offset: offset.optional().meta(doc('How many items to skip, from 0. Default: 0.', 0)),
    }),
    document: graphql(`
      query ($filter: DecisionEventFilter, $limit: Int, $offset: Int) {
        decisionEventPage(filter: $filter, limit: $limit, offset: $offset) {
          items { id decisionId type status actor { id type name } action { type } tags createdAt updatedAt }
          pagination { total limit offset hasMore }
        }
      }`),
    variables: ({ query: { limit: most = 20, offset: from = 0, ...filter } }) => ({
      filter,
      limit: most,
      offset: from,
    }),
    project: ({ decisionEventPage: { items, pagination } }) => ({
      data: items.map((item) => ({ ...item, actor: present(item.actor) })),
      pagination,
    }),
    response: proofPage(decisionEventSummary),
  }),
  route({
    method: 'GET',
    path: '/v1/decision-events/{id}',
    operationId: 'getDecisionEvent',
    summary: 'Read a decision event',
    params: eventIdParam,
    document: EVENT_DOCUMENT,
    variables: ({ params }) => params,
    project: ({ decisionEvent: event }) => ({ data: showEvent(event) }),
    response: proofData(decisionEvent),
  }),
  route({
    method: 'POST',
    path: '/v1/decision-events/{id}/approvals',
    operationId: 'addApproval',
    summary: 'Approve or reject a decision; the approval that satisfies the policy seals it',
    params: eventIdParam,
    body: addApprovalInput,
    document: graphql(`
      mutation ($id: ID!, $input: AddApprovalInput!) {
        addApproval(eventId: $id, input: $input) {
          approvalId decisionId approver { id type name } result reason evidenceLevel sealedHash sealedAt createdAt receipt
        }
      }`),
    variables: ({ params: { id }, body }) => ({ id, input: body }),
    project: ({ addApproval: { approver, reason, sealedHash, ...rest } }) => ({
      data: {
        ...withReceipt(rest),
        approver: present(approver),
        ...(reason !== null && { reason }),
        sealedHash: prefixed(sealedHash),
      },
    }),
    response: proofData(approvalOutcome),
    errors: ['POLICY_VIOLATION', 'CHAIN_BROKEN'],
  }),
  route({
    method: 'POST',
    path: '/v1/decision-events/{id}/claim',
    operationId: 'claimDecision',
    summary: 'Claim a sealed decision for execution, once',
    params: eventIdParam,
    document: graphql(`
      mutation ($id: ID!) { claimDecision(eventId: $id) { eventId claimedAt receipt } }`),
    variables: ({ params }) => params,
    project: ({ claimDecision }) => ({ data: withReceipt(claimDecision) }),
    response: proofData(decisionClaim),
    status: 201,
  }),
  route({
    method: 'POST',
    path: '/v1/decision-events/{id}/outcome',
    operationId: 'reportOutcome',
    summary: 'Report the outcome of a sealed decision',
    params: eventIdParam,
    body: outcomeInput,
    document: graphql(`
      mutation ($id: ID!, $input: ReportOutcomeInput!) {
        reportOutcome(eventId: $id, input: $input) { eventId status recordedAt journalIndex receipt }
      }`),
    variables: ({ params: { id }, body }) => ({ id, input: body }),
    project: ({ reportOutcome }) => ({ data: withReceipt(reportOutcome) }),
    response: proofData(decisionOutcome),
    status: 201,
  }),
];
