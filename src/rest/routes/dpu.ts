import { z } from 'zod';
import { comparedTables } from '../../domain/decisions/prove/verify/differences/difference.ts';
import { demoDpuInput } from '../../domain/dpus/demo.ts';
import { updateDpuInput } from '../../domain/dpus/update-dpu.ts';
import { A_HASH, A_PERSON, doc, example } from '../../lib/doc.ts';
import { graphql } from '../../schema/document.ts';
import { ok } from '../envelope.ts';
import { exportDocument } from '../export-document.ts';
import { routesOf } from '../route.ts';
import { dpuIdParam, evidenceLevel, ids, oneOf, success, timestamp, vertical } from '../schemas.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const anyObject = z.record(z.string(), z.unknown());
const counts = z.record(z.string(), z.int());

const dpu = z
  .object({
    id: z.string().meta(ids.dpu),
    content: z.string().meta(example('Therapy plan of week 12 confirmed')),
    evidenceLevel,
    chainHash: hash.meta(example(A_HASH)),
    previousHash: hash.nullable().meta(example(null)),
    chainIndex: z.int().meta(example(41)),
    domain: z.string().meta(doc('The name of the chain: platform, proof, audit or journal.', 'proof')),
    vertical: vertical.describe('The line of business of its center.'),
    aiGenerated: z.boolean().meta(example(false)),
    referenceType: z.string().nullable().meta(example('demo')),
    referenceId: z.string().nullable().meta(example('session-7')),
    actorId: z.string().nullable().meta(example(A_PERSON)),
    tags: z.array(z.string()).meta(example(['billing'])),
    metadata: anyObject.meta(
      doc('Notes attached to the record, at most 256 KiB; not part of the chain hash.', { ticket: 'T-7' }),
    ),
    createdAt: timestamp,
    sealedAt: timestamp.nullable().describe('When it became AUDIT_READY, in UTC; null until then.'),
    erasedAt: timestamp.optional(),
  })
  .meta({ id: 'Dpu' });

const DPU = `id content evidenceLevel chainHash previousHash chainIndex domain vertical aiGenerated referenceType
  referenceId actorId tags metadata createdAt sealedAt`;

const verification = z
  .object({
    valid: z.boolean().meta(example(true)),
    chainLength: z.int().meta(example(42)),
    genesisHash: hash
      .nullable()
      .meta(example('5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8')),
    brokenAt: z.int().nullable().meta(example(null)),
  })
  .meta({ id: 'DpuVerification' });

const centerVerification = verification
  .extend({
    chains: z.array(
      verification.extend({
        domain: z.string().meta(example('proof')),
        headHash: hash.nullable().meta(example(A_HASH)),
      }),
    ),
    differences: z
      .array(
        z.object({
          table: oneOf(comparedTables).meta(example('decision_event')),
          id: z.string().meta(example('evt_01k9zq2m0000000000000000e1')),
          chain: z.string(),
          index: z.int().nullable().meta(example(41)),
          member: z.string().nullable().meta(example('action.description')),
        }),
      )
      .max(100)
      .meta(example([])),
    losses: z
      .array(
        z.object({
          chain: z.string(),
          signedSize: z.int().meta(example(120)),
          presentSize: z.int().meta(example(118)),
          reason: z.string().meta(example('Fits the plan.')),
          index: z.int().meta(example(41)),
          at: z.string().meta(example('2026-11-15T09:30:00.000Z')),
        }),
      )
      .max(100)
      .meta(example([])),
  })
  .meta({ id: 'ChainVerification', graphqlType: 'CenterVerification' });

const stats = z
  .object({
    total: z.int().meta(doc('How many all centers have together.', 1)),
    byEvidenceLevel: counts.meta(example({ DRAFT: 2, DOCUMENTED: 1, AUDIT_READY: 7 })),
    byVertical: counts.meta(example({ rehabilitation: 10 })),
    center: z
      .object({
        total: z.int().meta(example(1)),
        byEvidenceLevel: counts.meta(example({ DRAFT: 2, DOCUMENTED: 1, AUDIT_READY: 7 })),
      })
      .describe('The same counts for the current center.'),
  })
  .meta({ id: 'DpuStats' });

const sixW = z
  .object({
    who: anyObject.meta(example({ approver: 'dr-kim' })),
    what: anyObject.meta(example({ action: 'appointment.move' })),
    when: anyObject.meta(example({ decidedAt: '2026-11-15T09:30:00.000Z' })),
    where: anyObject.meta(example({ center: 'demo-rehab' })),
    why: anyObject.meta(example({ reason: 'fits the plan' })),
    how: anyObject.meta(example({ method: 'ai_recommendation' })),
  })
  .meta({ id: 'Responsibility' });

const route = routesOf({
  tag: 'Decision proof units',
  auth: 'token',
  errors: ['TOKEN_EXPIRED', 'NO_MEMBERSHIP', 'INSUFFICIENT_ROLE'],
});

export const dpuRoutes = [
  route({
    method: 'GET',
    path: '/dpu/{id}',
    operationId: 'getDpu',
    summary: 'A decision proof unit',
    params: dpuIdParam,
    document: graphql(`query ($id: ID!) { dpu(id: $id) { ${DPU} erasedAt } }`),
    variables: ({ params }) => params,
    project: ({ dpu: { erasedAt, ...rest } }) => ok({ ...rest, ...(erasedAt !== null && { erasedAt }) }),
    response: success(dpu),
    errors: ['DPU_NOT_FOUND', 'CHAIN_BROKEN'],
  }),
  route({
    method: 'PUT',
    path: '/dpu/{id}',
    operationId: 'updateDpu',
    summary: 'Raise the evidence level, add metadata, or both',
    params: dpuIdParam,
    body: updateDpuInput,
    bodyOptional: true,
    document: graphql(`mutation ($input: UpdateDpuInput!) { updateDpu(input: $input) { ${DPU} } }`),
    variables: ({ params, body }) => ({ input: { id: params.id, ...body } }),
    project: ({ updateDpu }) => ok(updateDpu),
    response: success(dpu),
    errors: ['DPU_NOT_FOUND', 'DPU_SEALED', 'INVALID_EVIDENCE_LEVEL', 'VALIDATION_ERROR', 'CHAIN_BROKEN'],
  }),
  route({
    method: 'GET',
    path: '/dpu/{id}/verify',
    operationId: 'verifyDpu',
    summary: 'Verify the chain from genesis to this record',
    params: dpuIdParam,
    document: graphql('query ($id: ID!) { verifyDpu(id: $id) { valid chainLength genesisHash brokenAt } }'),
    variables: ({ params }) => params,
    project: ({ verifyDpu }) => ok(verifyDpu),
    response: success(verification),
    errors: ['DPU_NOT_FOUND'],
  }),
  route({
    method: 'GET',
    path: '/dpu/{id}/responsibility',
    operationId: 'getDpuResponsibility',
    summary: 'Who, what, when, where, why and how of the decision',
    params: dpuIdParam,
    document: graphql('query ($id: ID!) { dpuResponsibility(id: $id) { who what when where why how } }'),
    variables: ({ params }) => params,
    project: ({ dpuResponsibility }) => ok(dpuResponsibility),
    response: success(sixW),
    errors: ['DPU_NOT_FOUND', 'CHAIN_BROKEN'],
  }),
  route({
    method: 'GET',
    path: '/dpu/stats',
    operationId: 'getDpuStats',
    summary: 'How many decision proof units there are',
    document: graphql('{ dpuStats { total byEvidenceLevel byVertical center { total byEvidenceLevel } } }'),
    project: ({ dpuStats }) => ok(dpuStats),
    response: success(stats),
  }),
  route({
    method: 'GET',
    path: '/dpu/verify-chain',
    operationId: 'verifyChain',
    summary: 'Verify every chain of the center from genesis to its head',
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
  }),
  route({
    method: 'POST',
    path: '/dpu/demo',
    operationId: 'createDemoDpu',
    summary: 'Record a demonstration on the platform chain',
    body: demoDpuInput,
    bodyOptional: true,
    document: graphql(`mutation ($input: CreateDemoDpuInput!) { createDemoDpu(input: $input) { ${DPU} } }`),
    variables: ({ body }) => ({ input: body }),
    project: ({ createDemoDpu }) => ok(createDemoDpu),
    response: success(dpu),
    status: 201,
    errors: ['VALIDATION_ERROR'],
  }),
  route({
    method: 'GET',
    path: '/dpu/{id}/export',
    operationId: 'exportDpu',
    summary: 'The decision proof as a JSON-LD document that can be checked offline',
    params: dpuIdParam,
    document: graphql(`query ($id: ID!) { dpuExport(id: $id) }`),
    variables: ({ params }) => params,
    project: ({ dpuExport }) => dpuExport,
    response: exportDocument,
    contentType: 'application/ld+json',
    errors: ['MEMBERSHIP_SUSPENDED', 'MEMBERSHIP_ENDED', 'CENTER_SUSPENDED', 'DPU_NOT_FOUND', 'CHAIN_BROKEN'],
  }),
];
