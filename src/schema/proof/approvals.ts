import { everyRole } from '../../domain/access.ts';
import { currentCenterId } from '../../domain/context.ts';
import { type ApprovalOutcome, addApproval } from '../../domain/decisions/approve/admission.ts';
import {
  approveDecision,
  approveDecisionInput,
  prepareApproval,
  prepareApprovalInput,
} from '../../domain/decisions/approve/sign.ts';
import { addApprovalInput } from '../../domain/decisions/input.ts';
import { approvalsOf, contentOf, seatingOf } from '../../domain/decisions/read/approvals.ts';
import { receiptFor } from '../../domain/ledger/receipt.ts';
import { MOST_COUNTED, newestFirst } from '../../lib/paging.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { rowsById } from '../connections.ts';
import { ApprovalResult, ApproverType } from '../decision-enums.ts';
import { EvidenceLevel } from '../enums.ts';
import { columns, properties } from '../exposed.ts';
import { inputArg, inputType, nestedInput } from '../input-types.ts';
import { counted } from '../paging.ts';
import { DecisionEvent, ownReaders, readers } from './decision-event.ts';

const Approver = builder
  .objectRef<{ id: string; type: ApprovalOutcome['approver']['type']; name?: string | null | undefined }>(
    'Approver',
  )
  .implement({
    description: 'Who approved or rejected a decision.',
    fields: (t) => ({
      id: t.string({
        description: 'The id of the approver in your own system, or of the person in this service.',
        resolve: ({ id }) => id ?? '',
      }),
      type: t.expose('type', { type: ApproverType, description: 'Whether a person or a system approved.' }),
      name: t.exposeString('name', {
        nullable: true,
        description: 'The name of the approver as sealed; null if none was given or it was erased.',
      }),
    }),
  });

export const Approval = builder.prismaNode('Approval', {
  id: { field: 'id', description: 'The id of the approval, `apr_…`.' },
  description: 'What one approver said about a decision event.',
  // Every field that leads here has its own guard; members of a group see the approvals of decisions that wait for them.
  authScopes: { access: { ...ownReaders, roles: everyRole } },
  fields: (t) => ({
    ...columns(t, {
      result: 'Whether the approver approved or rejected the decision.',
      contentHash: "SHA-256 of the event's content at the time of the approval.",
      createdAt: 'When the approval was recorded, in UTC.',
    }),
    eventId: t.exposeID('eventId', { description: 'The id of the decision event, `evt_…`.' }),
    approver: t.field({
      type: Approver,
      description: 'Who approved or rejected.',
      resolve: (row) => contentOf(row).approver,
    }),
    reason: t.string({
      nullable: true,
      description: 'Why, in the words of the approver; null if none was given or it was erased.',
      resolve: (row) => contentOf(row).reason,
    }),
    by: t.field({
      type: 'JSON',
      description:
        "How the approver was authenticated: `kind` is api_key, session, passkey, system or mandate, and `id` identifies it. If the company's identity provider signed the approver in, `via` is oidc and `identity` is `{issuer, subject}`.",
      resolve: (row) => contentOf(row).by,
    }),
    seating: t.field({
      type: 'JSON',
      nullable: true,
      description:
        "The seats that it fills and the approver's entitlement: `seat`, `alsoSeats`, `delegation`, `escalation`. Null without a quorum.",
      resolve: (row) => seatingOf(contentOf(row)),
    }),
    onBehalfOf: t.string({
      nullable: true,
      description:
        'The id of the person for whom a delegate approved, a UUID; null if the approver was no delegate.',
      resolve: (row) => contentOf(row).onBehalfOf,
    }),
  }),
});

const approvalsOfOne = makeLoader(approvalsOf);

builder.objectField(DecisionEvent, 'approvals', (t) =>
  t.field({
    type: [Approval],
    description: 'All approvals and rejections so far, oldest first.',
    // Every approval and rejection changes the status.
    resolve: async ({ id, status }, _, ctx) =>
      status === 'recorded' ? [] : ((await approvalsOfOne(ctx, id)) ?? []),
  }),
);

const chosen = (eventId?: string | null, result?: ApprovalOutcome['result'] | null) => ({
  ...(eventId && { eventId: String(eventId) }),
  ...(result && { result }),
});

builder.queryField('approvals', (t) =>
  t.connection(
    {
      type: Approval,
      description: 'Approvals and rejections in the center, newest first.',
      extensions: { fromReplica: true },
      authScopes: { access: readers },
      args: {
        eventId: t.arg.id({ description: 'Only for the decision event with this id, `evt_…`.' }),
        result: t.arg({ type: ApprovalResult, description: 'Only approvals, or only rejections.' }),
      },
      resolve: async (_, { eventId, result, ...args }, ctx, info) => ({
        ...(await rowsById('apr', { args, ctx, info }, (window, query) =>
          ctx.db.approval.findMany({ ...query, ...newestFirst(window, chosen(eventId, result)) }),
        )),
        totalCount: () => ctx.db.approval.count({ where: chosen(eventId, result), take: MOST_COUNTED }),
      }),
    },
    counted(),
  ),
);

const ApprovalOutcomeRef = builder.objectRef<ApprovalOutcome>('ApprovalOutcome').implement({
  description: 'An approval that was recorded, and its effect.',
  fields: (t) => ({
    ...properties(t, {
      approvalId: ['ID', 'The id of the approval, `apr_…`.'],
      decisionId: ['String', "The caller's id of the decision: its idempotency key, or a generated one."],
      eventId: ['ID', 'The id of the decision event, `evt_…`.'],
      approver: [Approver, 'Who approved or rejected.'],
      result: [ApprovalResult, 'Whether the approver approved or rejected the decision.'],
      reason: ['String?', 'Why, in the words of the approver; null if none was given.'],
      evidenceLevel: [EvidenceLevel, 'The level of the evidence: AUDIT_READY when the decision is sealed.'],
      sealedHash: [
        'String?',
        'The hash of the record on the chain in hex; null until the decision is sealed.',
      ],
      sealedAt: ['DateTime?', 'When the decision was sealed, in UTC; null until then.'],
      createdAt: ['DateTime', 'When the approval was recorded, in UTC.'],
    }),
    receipt: t.string({
      nullable: true,
      description:
        "A signed receipt with the record's position on its chain. Null if signing is unavailable.",
      resolve: ({ eventId, result, place }, _, ctx) =>
        receiptFor(ctx.app, { ...place, kind: result, eventId, centerId: currentCenterId(ctx) }),
    }),
  }),
});

const ApproverInput = nestedInput('ApproverInput', addApprovalInput.shape.approver, {
  description: 'Who approves or rejects, as your own system identified them.',
  types: { type: ApproverType },
});

const AddApprovalInputRef = inputType('AddApprovalInput', addApprovalInput, {
  description: 'What an approver of your own system says about a decision event.',
  types: { approver: ApproverInput, result: ApprovalResult },
});

const approvalDescriptions = {
  eventId: 'The id of the decision event, `evt_…`.',
  result: 'Whether you approve or reject.',
  reason: 'Why, at most 10,000 characters; stored with the decision.',
};

const PrepareApprovalInput = inputType('PrepareApprovalInput', prepareApprovalInput, {
  description: 'What you are going to sign with a passkey.',
  types: { eventId: 'ID', result: ApprovalResult },
  descriptions: approvalDescriptions,
});

const ApproveDecisionInput = inputType('ApproveDecisionInput', approveDecisionInput, {
  description: 'What you say about a decision event.',
  types: { eventId: 'ID', result: ApprovalResult, approvalId: 'ID', assertion: 'JSON' },
  descriptions: {
    ...approvalDescriptions,
    approvalId: 'The `approvalId` of `prepareApproval`. Only for signed approvals.',
    assertion: 'The response of the browser (AuthenticationResponseJSON). Only for signed approvals.',
  },
});

const PreparedApproval = builder
  .objectRef<Awaited<ReturnType<typeof prepareApproval>>>('PreparedApproval')
  .implement({
    description: 'The approval that the passkey has to sign.',
    fields: (t) => ({
      approvalId: t.exposeID('approvalId', { description: 'The id that the approval will have, `apr_…`.' }),
      options: t.field({
        type: 'JSON',
        description: 'The options to pass to the browser (PublicKeyCredentialRequestOptionsJSON).',
        resolve: ({ options }) => options as object,
      }),
    }),
  });

builder.mutationFields((t) => ({
  addApproval: t.field({
    type: ApprovalOutcomeRef,
    description:
      'Records an approval or rejection from your own system. The approval that satisfies the policy seals the decision.',
    authScopes: { access: { apiKey: 'proof:write' } },
    args: {
      eventId: t.arg.id({ required: true, description: 'The id of the decision event, `evt_…`.' }),
      ...inputArg(AddApprovalInputRef, 'The approver, and whether they approve or reject.'),
    },
    resolve: (_, { eventId, input }, ctx) => addApproval(ctx, String(eventId), input),
  }),
  prepareApproval: t.field({
    type: PreparedApproval,
    description: 'Prepares an approval to be signed with a passkey.',
    authScopes: { access: { roles: everyRole } },
    args: inputArg(PrepareApprovalInput, 'What you are going to sign with a passkey.'),
    resolve: (_, { input }, ctx) => prepareApproval(ctx, input),
  }),
  approveDecision: t.field({
    type: ApprovalOutcomeRef,
    description:
      'Approves or rejects a decision event in your own name, optionally signed with a passkey. Requires ADMIN, or membership in a group with an open seat.',
    authScopes: { access: { roles: everyRole } },
    args: inputArg(ApproveDecisionInput, 'The decision event, and whether you approve or reject it.'),
    resolve: (_, { input }, ctx) => approveDecision(ctx, input),
  }),
}));
