import { z } from 'zod';
import { demoDpuInput } from '../../domain/dpus/demo.ts';
import { updateDpuInput } from '../../domain/dpus/update-dpu.ts';
import { comparedTables } from '../../domain/proof/verify/differences/difference.ts';
import type { ErrorCode } from '../../lib/errors.ts';
import { graphql } from '../../schema/document.ts';
import { ok } from '../envelope.ts';
import { route } from '../route.ts';
import { evidenceLevel, idParam, oneOf, success, timestamp, vertical } from '../schemas.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const anyObject = z.record(z.string(), z.unknown());
const counts = z.record(z.string(), z.int());

const dpu = z
  .object({
    id: z.string(),
    content: z.string(),
    evidenceLevel,
    chainHash: hash,
    previousHash: hash.nullable(),
    chainIndex: z.int(),
    domain: z.string(),
    vertical,
    aiGenerated: z.boolean(),
    referenceType: z.string().nullable(),
    referenceId: z.string().nullable(),
    actorId: z.string().nullable(),
    tags: z.array(z.string()),
    metadata: anyObject,
    createdAt: timestamp,
    sealedAt: timestamp.nullable(),
    erasedAt: timestamp.optional(),
  })
  .meta({ id: 'Dpu' });

const DPU = `id content evidenceLevel chainHash previousHash chainIndex domain vertical aiGenerated referenceType
  referenceId actorId tags metadata createdAt sealedAt`;

const verification = z
  .object({
    valid: z.boolean(),
    chainLength: z.int(),
    genesisHash: hash.nullable(),
    brokenAt: z.int().nullable(),
  })
  .meta({ id: 'DpuVerification' });

const centerVerification = verification
  .extend({
    chains: z.array(verification.extend({ domain: z.string(), headHash: hash.nullable() })),
    differences: z
      .array(
        z.object({
          table: oneOf(comparedTables),
          id: z.string(),
          chain: z.string(),
          index: z.int().nullable(),
          member: z.string().nullable(),
        }),
      )
      .max(100),
    losses: z
      .array(
        z.object({
          chain: z.string(),
          signedSize: z.int(),
          presentSize: z.int(),
          reason: z.string(),
          index: z.int(),
          at: z.string(),
        }),
      )
      .max(100),
  })
  .meta({ id: 'ChainVerification' });

const stats = z
  .object({
    total: z.int(),
    byEvidenceLevel: counts,
    byVertical: counts,
    center: z.object({ total: z.int(), byEvidenceLevel: counts }),
  })
  .meta({ id: 'DpuStats' });

const sixW = z
  .object({
    who: anyObject,
    what: anyObject,
    when: anyObject,
    where: anyObject,
    why: anyObject,
    how: anyObject,
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
    params: idParam,
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
    params: idParam,
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
    params: idParam,
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
    params: idParam,
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
