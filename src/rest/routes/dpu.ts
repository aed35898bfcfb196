import { z } from 'zod';
import { comparedTables } from '../../domain/decisions/prove/verify/differences/difference.ts';
import { demoDpuInput } from '../../domain/dpus/demo.ts';
import { updateDpuInput } from '../../domain/dpus/update-dpu.ts';
import { A_HASH, A_PERSON, doc } from '../../lib/doc.ts';
import type { ErrorCode } from '../../lib/errors.ts';
import { graphql } from '../../schema/document.ts';
import { ok } from '../envelope.ts';
import { route } from '../route.ts';
import { dpuIdParam, evidenceLevel, oneOf, success, timestamp, vertical } from '../schemas.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const anyObject = z.record(z.string(), z.unknown());
const counts = z.record(z.string(), z.int());

const dpu = z
  .object({
    id: z.string().meta(doc('The id of the decision proof unit.', 'dpu_01k9zq2m0000000000000000d1')),
    content: z.string().meta(doc('The recorded text.', 'Therapy plan of week 12 confirmed')),
    evidenceLevel: evidenceLevel.describe('The evidence level. It can only rise.'),
    chainHash: hash.meta(doc('The hash that links the record into its chain, as 64 hex digits.', A_HASH)),
    previousHash: hash.nullable().meta(doc('The hash of the previous record; null for the first one.', null)),
    chainIndex: z.int().meta(doc('The position in the chain, counted from 0.', 41)),
    domain: z.string().meta(doc('The name of the chain.', 'proof')),
    vertical: vertical.describe('The line of business.'),
    aiGenerated: z
      .boolean()
      .meta(doc('Whether an AI wrote the content. If so, only a person can raise its level.', false)),
    referenceType: z.string().nullable().meta(doc('The kind of the related object.', 'demo')),
    referenceId: z.string().nullable().meta(doc('The id of the related object.', 'session-7')),
    actorId: z.string().nullable().meta(doc("The person's id, a UUID.", A_PERSON)),
    tags: z.array(z.string()).meta(doc('Tags for searching.', ['billing'])),
    metadata: anyObject.meta(doc('Notes attached to the record; not part of its hash.', { ticket: 'T-7' })),
    createdAt: timestamp.describe('When it was created.'),
    sealedAt: timestamp.nullable().describe('When it was sealed, or null.'),
    erasedAt: timestamp.optional().describe('When the content was erased, or null.'),
  })
  .meta({ id: 'Dpu' });

const DPU = `id content evidenceLevel chainHash previousHash chainIndex domain vertical aiGenerated referenceType
  referenceId actorId tags metadata createdAt sealedAt`;

const verification = z
  .object({
    valid: z.boolean().meta(doc('Whether the result is valid.', true)),
    chainLength: z.int().meta(doc('The number of verified records.', 42)),
    genesisHash: hash
      .nullable()
      .meta(
        doc(
          'The hash of the first record; null for an empty chain.',
          '5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8',
        ),
      ),
    brokenAt: z
      .int()
      .nullable()
      .meta(doc('The first invalid index of the chain, or null if it is valid.', null)),
  })
  .meta({ id: 'DpuVerification' });

const centerVerification = verification
  .extend({
    chains: z
      .array(
        verification.extend({
          domain: z.string().meta(doc('The name of the chain.', 'proof')),
          headHash: hash
            .nullable()
            .meta(doc('The hash of the newest record; null for an empty chain.', A_HASH)),
        }),
      )
      .describe('The result for each chain of the center.'),
    differences: z
      .array(
        z.object({
          table: oneOf(comparedTables).meta(doc('The table of the row.', 'decision_event')),
          id: z.string().meta(doc('The id of the row.', 'evt_01k9zq2m0000000000000000e1')),
          chain: z.string().describe('The position of the record in its hash chain.'),
          index: z.int().nullable().meta(doc('The position in the chain, counted from 0.', 41)),
          member: z
            .string()
            .nullable()
            .meta(
              doc(
                'The member that differs; null if the whole row is missing or unexpected.',
                'action.description',
              ),
            ),
        }),
      )
      .max(100)
      .meta(doc('Rows that differ from what was sealed; empty if all match.', [])),
    losses: z
      .array(
        z.object({
          chain: z.string().describe('The position of the record in its hash chain.'),
          signedSize: z.int().meta(doc('How many records were signed.', 120)),
          presentSize: z.int().meta(doc('How many of them were there.', 118)),
          reason: z.string().meta(doc('The reason.', 'Fits the plan.')),
          index: z.int().meta(doc('The position in the chain, counted from 0.', 41)),
          at: z.string().meta(doc('When it happened.', '2026-11-15T09:30:00.000Z')),
        }),
      )
      .max(100)
      .meta(doc('Losses of signed records that an administrator accepted, newest first.', [])),
  })
  .meta({ id: 'ChainVerification' });

const stats = z
  .object({
    total: z.int().meta(doc('The total number.', 1)),
    byEvidenceLevel: counts.meta(
      doc('Records at each evidence level.', { DRAFT: 2, DOCUMENTED: 1, AUDIT_READY: 7 }),
    ),
    byVertical: counts.meta(doc('Records of each vertical.', { rehabilitation: 10 })),
    center: z
      .object({
        total: z.int().meta(doc('The total number.', 1)),
        byEvidenceLevel: counts.meta(
          doc('Records at each evidence level.', { DRAFT: 2, DOCUMENTED: 1, AUDIT_READY: 7 }),
        ),
      })
      .describe("The same counts for the caller's center."),
  })
  .meta({ id: 'DpuStats' });

const sixW = z
  .object({
    who: anyObject.meta(doc('Who decided and who approved.', { approver: 'dr-kim' })),
    what: anyObject.meta(doc('What was decided.', { action: 'appointment.move' })),
    when: anyObject.meta(doc('When it was decided and sealed.', { decidedAt: '2026-11-15T09:30:00.000Z' })),
    where: anyObject.meta(doc('The center and the chain.', { center: 'demo-rehab' })),
    why: anyObject.meta(doc('The reason.', { reason: 'fits the plan' })),
    how: anyObject.meta(doc('How it was decided.', { method: 'ai_recommendation' })),
  })
  .meta({ id: 'Responsibility' });

const tag = 'Decision proof units';
const whoMayNot: ErrorCode[] = ['UNAUTHORIZED', 'TOKEN_EXPIRED', 'NO_MEMBERSHIP', 'INSUFFICIENT_ROLE'];

export const dpuRoutes = [
  route({
    method: 'GET',
    path: '/dpu/{id}',
    operationId: 'getDpu',
    summary: 'A decision proof unit',
    tag,
    auth: 'token',
    params: dpuIdParam,
    document: graphql(`query ($id: ID!) { dpu(id: $id) { ${DPU} erasedAt } }`),
    variables: ({ params }) => ({ id: params.id }),
    project: ({ dpu: { erasedAt, ...rest } }) => ok({ ...rest, ...(erasedAt !== null && { erasedAt }) }),
    response: success(dpu),
    status: 200,
    errors: [...whoMayNot, 'DPU_NOT_FOUND', 'CHAIN_BROKEN'],
  }),
  route({
    method: 'PUT',
    path: '/dpu/{id}',
    operationId: 'updateDpu',
    summary: 'Raise the evidence level, add metadata, or both',
    tag,
    auth: 'token',
    params: dpuIdParam,
    body: updateDpuInput,
    bodyOptional: true,
    document: graphql(`mutation ($input: UpdateDpuInput!) { updateDpu(input: $input) { ${DPU} } }`),
    variables: ({ params, body }) => ({ input: { id: params.id, ...body } }),
    project: ({ updateDpu }) => ok(updateDpu),
    response: success(dpu),
    status: 200,
    errors: [
      ...whoMayNot,
      'DPU_NOT_FOUND',
      'DPU_SEALED',
      'INVALID_EVIDENCE_LEVEL',
      'VALIDATION_ERROR',
      'CHAIN_BROKEN',
    ],
  }),
  route({
    method: 'GET',
    path: '/dpu/{id}/verify',
    operationId: 'verifyDpu',
    summary: 'Verify the chain from genesis to this record',
    tag,
    auth: 'token',
    params: dpuIdParam,
    document: graphql('query ($id: ID!) { verifyDpu(id: $id) { valid chainLength genesisHash brokenAt } }'),
    variables: ({ params }) => ({ id: params.id }),
    project: ({ verifyDpu }) => ok(verifyDpu),
    response: success(verification),
    status: 200,
    errors: [...whoMayNot, 'DPU_NOT_FOUND'],
  }),
  route({
    method: 'GET',
    path: '/dpu/{id}/responsibility',
    operationId: 'getDpuResponsibility',
    summary: 'Who, what, when, where, why and how of the decision',
    tag,
    auth: 'token',
    params: dpuIdParam,
    document: graphql('query ($id: ID!) { dpuResponsibility(id: $id) { who what when where why how } }'),
    variables: ({ params }) => ({ id: params.id }),
    project: ({ dpuResponsibility }) => ok(dpuResponsibility),
    response: success(sixW),
    status: 200,
    errors: [...whoMayNot, 'DPU_NOT_FOUND', 'CHAIN_BROKEN'],
  }),
  route({
    method: 'GET',
    path: '/dpu/stats',
    operationId: 'getDpuStats',
    summary: 'How many decision proof units there are',
    tag,
    auth: 'token',
    document: graphql('{ dpuStats { total byEvidenceLevel byVertical center { total byEvidenceLevel } } }'),
    project: ({ dpuStats }) => ok(dpuStats),
    response: success(stats),
    status: 200,
    errors: whoMayNot,
  }),
  route({
    method: 'GET',
    path: '/dpu/verify-chain',
    operationId: 'verifyChain',
    summary: 'Verify every chain of the center from genesis to its head',
    tag,
    auth: 'token',
    document: graphql(`{
      verifyChain {
        valid chainLength genesisHash brokenAt
        chains { domain valid chainLength genesisHash headHash brokenAt }
        differences { table id chain index member }
        losses { chain signedSize presentSize reason index at }
      }
    }`),
    project: ({ verifyChain }) => ok(verifyChain),
    response: success(centerVerification),
    status: 200,
    errors: whoMayNot,
  }),
  route({
    method: 'POST',
    path: '/dpu/demo',
    operationId: 'createDemoDpu',
    summary: 'Record a demonstration on the platform chain',
    tag,
    auth: 'token',
    body: demoDpuInput,
    bodyOptional: true,
    document: graphql(`mutation ($input: CreateDemoDpuInput!) { createDemoDpu(input: $input) { ${DPU} } }`),
    variables: ({ body }) => ({ input: body }),
    project: ({ createDemoDpu }) => ok(createDemoDpu),
    response: success(dpu),
    status: 201,
    errors: [...whoMayNot, 'VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
  }),
];
