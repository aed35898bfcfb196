import { everyRole } from '../../domain/access.ts';
import { currentCenterId } from '../../domain/context.ts';
import { receiptFor } from '../../domain/ledger/receipt.ts';
import { approvalsOf } from '../../domain/proof/approvals.ts';
import { type ApprovalOutcome, addApproval } from '../../domain/proof/approve.ts';
import { addApprovalInput } from '../../domain/proof/input.ts';
import {
  approveDecision,
  approveDecisionInput,
  prepareApproval,
  prepareApprovalInput,
} from '../../domain/proof/sign.ts';
import { MOST_COUNTED } from '../../lib/paging.ts';
import { loadTogether } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { keyedBy } from '../cursors.ts';
import { EvidenceLevel } from '../enums.ts';
import { TOTAL_COUNT, totalOf } from '../paging.ts';
import { DecisionEvent, ownReaders, readers } from './decision-event.ts';
import { ApprovalResult, ApproverType } from './enums.ts';

const Approver = builder
  .objectRef<{ id: string; type: ApprovalOutcome['approver']['type']; name?: string | null | undefined }>(
    'Approver',
  )
  .implement({
    description: 'Who approved or rejected a decision.',
    fields: (t) => ({
      id: t.exposeString('id', {
        description: 'Its id in the system that reported it, or of the person here.',
      }),
      type: t.expose('type', { type: ApproverType, description: 'A person or a system.' }),
      name: t.exposeString('name', { nullable: true, description: 'What the approver is called.' }),
    }),
  });

export const Approval = builder.prismaNode('Approval', {
  id: { field: 'id', description: 'Its id, unique among everything there is.' },
  description: 'What an approver said about a decision event.',
  // Every way to it is guarded by itself; members of a group see the approvals of decisions that wait for them.
  authScopes: { access: { ...ownReaders, roles: everyRole } },
  fields: (t) => ({
    eventId: t.exposeID('eventId', { description: 'The decision event it is about.' }),
    approver: t.field({
      type: Approver,
      description: 'Who approved or rejected.',
      resolve: ({ approverId, approverType, approverName }) => ({
        id: approverId,
        type: approverType,
        name: approverName,
      }),
    }),
    result: t.expose('result', { type: ApprovalResult, description: 'Whether the decision may stand.' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Why the approver said so, in their own words.',
    }),
    by: t.field({
      type: 'JSON',
      description:
        'How the approver was known: `kind` is api_key, session, passkey, system or mandate, `id` whose.',
      resolve: ({ byKind, byId }) => ({ kind: byKind, ...(byId !== null && { id: byId }) }),
    }),
    seating: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'The seats that it fills, and why the approver could: `seat`, `alsoSeats`, `delegation`, `escalation`.',
      resolve: ({ seating }) => seating,
    }),
    onBehalfOf: t.exposeString('onBehalfOf', {
      nullable: true,
      description: 'The person whose delegate approved.',
    }),
    contentHash: t.exposeString('contentHash', {
      description: 'SHA-256 of what the event said when it was approved.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the approver said it.' }),
  }),
});

const approvalsOfOne = loadTogether(approvalsOf);

builder.objectField(DecisionEvent, 'approvals', (t) =>
  t.field({
    type: [Approval],
    description: 'What was said about it so far, oldest first.',
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
  t.prismaConnection(
    {
      type: Approval,
      cursor: 'id',
      extensions: keyedBy('apr'),
      description: 'What approvers said in the center, newest first.',
      authScopes: { access: readers },
      args: {
        eventId: t.arg.id({ description: 'Only about this decision event.' }),
        result: t.arg({ type: ApprovalResult, description: 'Only with this result.' }),
      },
      resolve: (query, _, { eventId, result }, ctx) =>
        ctx.db.approval.findMany({
          ...query,
          where: chosen(eventId, result),
          orderBy: { id: 'desc' },
        }),
      totalCount: (_, { eventId, result }, ctx) =>
        ctx.db.approval.count({ where: chosen(eventId, result), take: MOST_COUNTED }),
    },
    { fields: (f) => ({ totalCount: f.int({ description: TOTAL_COUNT, resolve: totalOf }) }) },
  ),
);

const ApprovalOutcomeRef = builder.objectRef<ApprovalOutcome>('ApprovalOutcome').implement({
  description: 'An approval that was just given, and what it brought.',
  fields: (t) => ({
    approvalId: t.exposeID('approvalId', { description: 'The id under which the approval is kept.' }),
    decisionId: t.exposeString('decisionId', { description: "The caller's own id of the decision." }),
    eventId: t.exposeID('eventId', { description: 'The decision event it is about.' }),
    approver: t.expose('approver', { type: Approver, description: 'Who approved or rejected.' }),
    result: t.expose('result', { type: ApprovalResult, description: 'Whether the decision may stand.' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Why the approver said so, in their own words.',
    }),
    evidenceLevel: t.expose('evidenceLevel', {
      type: EvidenceLevel,
      description: 'AUDIT_READY once the decision is sealed.',
    }),
    sealedHash: t.exposeString('sealedHash', {
      nullable: true,
      description: 'The hash of the record on the chain, as hex digits; null while unsealed.',
    }),
    sealedAt: t.expose('sealedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the decision was sealed; null while it is not.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was said.' }),
    receipt: t.string({
      nullable: true,
      description:
        "A signed note with the place of the record on its chain: the service's word that it is kept. Null while nothing is signed.",
      resolve: ({ place }, _, ctx) => receiptFor(ctx.app, { ...place, centerId: currentCenterId(ctx) }),
    }),
  }),
});

const ApproverInput = builder.inputType('ApproverInput', {
  description: 'Who approves or rejects.',
  fields: (t) => ({
    id: t.string({ required: true, description: 'Its id in your own system.' }),
    type: t.field({ type: ApproverType, required: true, description: 'A person or a system.' }),
    name: t.string({ description: 'What the approver is called.' }),
  }),
});

const AddApprovalInputRef = builder
  .inputType('AddApprovalInput', {
    description: 'What an approver says about a decision event.',
    fields: (t) => ({
      approver: t.field({ type: ApproverInput, required: true, description: 'Who approves or rejects.' }),
      result: t.field({ type: ApprovalResult, required: true, description: 'Approved or rejected.' }),
      reason: t.string({ description: 'Why, in words that are kept with the decision.' }),
    }),
  })
  .validate(addApprovalInput);

const PrepareApprovalInput = builder
  .inputType('PrepareApprovalInput', {
    description: 'What you are about to say about a decision event, signed by a passkey.',
    fields: (t) => ({
      eventId: t.id({ required: true, description: 'The decision event it is about.' }),
      result: t.field({ type: ApprovalResult, required: true, description: 'Approved or rejected.' }),
      reason: t.string({ description: 'Why, in words that are kept with the decision.' }),
    }),
  })
  .validate(prepareApprovalInput);

const ApproveDecisionInput = builder
  .inputType('ApproveDecisionInput', {
    description: 'What you say about a decision event.',
    fields: (t) => ({
      eventId: t.id({ required: true, description: 'The decision event it is about.' }),
      result: t.field({ type: ApprovalResult, required: true, description: 'Approved or rejected.' }),
      reason: t.string({ description: 'Why, in words that are kept with the decision.' }),
      approvalId: t.id({ description: 'What `prepareApproval` gave; only when signing.' }),
      assertion: t.field({
        type: 'JSON',
        description: 'What the browser answered (AuthenticationResponseJSON); only when signing.',
      }),
    }),
  })
  .validate(approveDecisionInput);

const PreparedApproval = builder
  .objectRef<Awaited<ReturnType<typeof prepareApproval>>>('PreparedApproval')
  .implement({
    description: 'An approval that a passkey is to sign.',
    fields: (t) => ({
      approvalId: t.exposeID('approvalId', { description: 'The id that the approval will have.' }),
      options: t.field({
        type: 'JSON',
        description: 'What to hand to the browser (PublicKeyCredentialRequestOptionsJSON).',
        resolve: ({ options }) => options as object,
      }),
    }),
  });

builder.mutationFields((t) => ({
  addApproval: t.field({
    type: ApprovalOutcomeRef,
    description:
      'Reports what an approver of your own system said; the approval that satisfies the policy seals it.',
    authScopes: { access: { apiKey: 'proof:write' } },
    args: {
      eventId: t.arg.id({ required: true, description: 'The decision event it is about.' }),
      input: t.arg({
        type: AddApprovalInputRef,
        required: true,
        description: 'Whether the decision may stand.',
      }),
    },
    resolve: (_, { eventId, input }, ctx) => addApproval(ctx, String(eventId), input),
  }),
  prepareApproval: t.field({
    type: PreparedApproval,
    description:
      'Prepares an approval for one of your passkeys to sign: the very decision, and what you say about it.',
    authScopes: { access: { roles: everyRole } },
    args: { input: t.arg({ type: PrepareApprovalInput, required: true, description: 'What you will say.' }) },
    resolve: (_, { input }, ctx) => prepareApproval(ctx, input),
  }),
  approveDecision: t.field({
    type: ApprovalOutcomeRef,
    description:
      'Approves or rejects a decision event in your own name, signed by a passkey or not. For ADMINs, and for members of a group with an open seat.',
    authScopes: { access: { roles: everyRole } },
    args: {
      input: t.arg({
        type: ApproveDecisionInput,
        required: true,
        description: 'What you say about which decision event.',
      }),
    },
    resolve: (_, { input }, ctx) => approveDecision(ctx, input),
  }),
}));
