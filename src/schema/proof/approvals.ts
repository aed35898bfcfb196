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
    description: 'The approver of a decision.',
    fields: (t) => ({
      id: t.string({
        description: 'The id in the reporting system, or of the person in this service.',
        resolve: ({ id }) => id ?? '',
      }),
      type: t.expose('type', { type: ApproverType, description: 'A person or a system.' }),
      name: t.exposeString('name', { nullable: true, description: 'The name of the approver.' }),
    }),
  });

export const Approval = builder.prismaNode('Approval', {
  id: { field: 'id', description: 'Globally unique id.' },
  description: 'An approval or rejection of a decision event.',
  // Every field that leads here has its own guard; members of a group see the approvals of decisions that wait for them.
  authScopes: { access: { ...ownReaders, roles: everyRole } },
  fields: (t) => ({
    ...columns(t, {
      result: 'Whether the decision was approved or rejected.',
      contentHash: "SHA-256 of the event's content at the time of the approval.",
      createdAt: 'When the approval was given.',
    }),
    eventId: t.exposeID('eventId', { description: 'The decision event.' }),
    approver: t.field({
      type: Approver,
      description: 'The approver.',
      resolve: (row) => contentOf(row).approver,
    }),
    reason: t.string({
      nullable: true,
      description: "The approver's reason.",
      resolve: (row) => contentOf(row).reason,
    }),
    by: t.field({
      type: 'JSON',
      description:
        'How the approver was authenticated: `kind` is api_key, session, passkey, system or mandate, and `id` identifies it.',
      resolve: (row) => contentOf(row).by,
    }),
    seating: t.field({
      type: 'JSON',
      nullable: true,
      description:
        "The seats that it fills and the approver's entitlement: `seat`, `alsoSeats`, `delegation`, `escalation`.",
      resolve: (row) => seatingOf(contentOf(row)),
    }),
    onBehalfOf: t.string({
      nullable: true,
      description: 'The person whose delegate approved.',
      resolve: (row) => contentOf(row).onBehalfOf,
    }),
  }),
});

const approvalsOfOne = makeLoader(approvalsOf);

builder.objectField(DecisionEvent, 'approvals', (t) =>
  t.field({
    type: [Approval],
    description: 'Approvals and rejections, oldest first.',
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
        eventId: t.arg.id({ description: 'Only for this decision event.' }),
        result: t.arg({ type: ApprovalResult, description: 'Only with this result.' }),
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
  description: 'A new approval and its effect.',
  fields: (t) => ({
    ...properties(t, {
      approvalId: ['ID', 'The id of the approval.'],
      decisionId: ['String', "The caller's id of the decision."],
      eventId: ['ID', 'The decision event.'],
      approver: [Approver, 'The approver.'],
      result: [ApprovalResult, 'Whether the decision was approved or rejected.'],
      reason: ['String?', "The approver's reason."],
      evidenceLevel: [EvidenceLevel, 'AUDIT_READY when the decision is sealed.'],
      sealedHash: ['String?', 'The hash of the record on the chain in hex, or null before sealing.'],
      sealedAt: ['DateTime?', 'When the decision was sealed, or null.'],
      createdAt: ['DateTime', 'When the approval was given.'],
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
  description: 'The approver.',
  types: { type: ApproverType },
  descriptions: {
    id: 'Its id in your own system.',
    type: 'A person or a system.',
    name: 'The name of the approver.',
  },
});

const AddApprovalInputRef = inputType('AddApprovalInput', addApprovalInput, {
  description: 'An approval or rejection of a decision event.',
  types: { approver: ApproverInput, result: ApprovalResult },
  descriptions: { result: '`approved` or `rejected`.', reason: 'The reason, stored with the decision.' },
});

const approvalDescriptions = {
  eventId: 'The decision event.',
  result: '`approved` or `rejected`.',
  reason: 'The reason, stored with the decision.',
};

const PrepareApprovalInput = inputType('PrepareApprovalInput', prepareApprovalInput, {
  description: 'An approval or rejection to sign with a passkey.',
  types: { eventId: 'ID', result: ApprovalResult },
  descriptions: approvalDescriptions,
});

const ApproveDecisionInput = inputType('ApproveDecisionInput', approveDecisionInput, {
  description: 'Your approval or rejection of a decision event.',
  types: { eventId: 'ID', result: ApprovalResult, approvalId: 'ID', assertion: 'JSON' },
  descriptions: {
    ...approvalDescriptions,
    approvalId: 'The result of `prepareApproval`. Only for signed approvals.',
    assertion: 'The response of the browser (AuthenticationResponseJSON). Only for signed approvals.',
  },
});

const PreparedApproval = builder
  .objectRef<Awaited<ReturnType<typeof prepareApproval>>>('PreparedApproval')
  .implement({
    description: 'An approval to sign with a passkey.',
    fields: (t) => ({
      approvalId: t.exposeID('approvalId', { description: 'The id that the approval will have.' }),
      options: t.field({
        type: 'JSON',
        description: 'Options for the browser (PublicKeyCredentialRequestOptionsJSON).',
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
      eventId: t.arg.id({ required: true, description: 'The decision event.' }),
      ...inputArg(AddApprovalInputRef, 'Whether the decision was approved or rejected.'),
    },
    resolve: (_, { eventId, input }, ctx) => addApproval(ctx, String(eventId), input),
  }),
  prepareApproval: t.field({
    type: PreparedApproval,
    description: 'Prepares an approval to be signed with a passkey.',
    authScopes: { access: { roles: everyRole } },
    args: inputArg(PrepareApprovalInput, 'The approval or rejection to sign.'),
    resolve: (_, { input }, ctx) => prepareApproval(ctx, input),
  }),
  approveDecision: t.field({
    type: ApprovalOutcomeRef,
    description:
      'Approves or rejects a decision event in your own name, optionally signed with a passkey. Requires ADMIN, or membership in a group with an open seat.',
    authScopes: { access: { roles: everyRole } },
    args: inputArg(ApproveDecisionInput, 'The decision event and your approval or rejection.'),
    resolve: (_, { input }, ctx) => approveDecision(ctx, input),
  }),
}));
