import { z } from 'zod';
import { evidenceLevel, timestamp } from './schemas.ts';

/** The shape of an export: one document for sealed decisions and for records of the platform. */
const hash = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const bareHash = z.string().regex(/^[0-9a-f]{64}$/);
const anyObject = z.record(z.string(), z.unknown());
const party = z.looseObject({ id: z.string().optional(), type: z.string(), name: z.string().optional() });

const approval = z
  .looseObject({
    approver: party,
    result: z.enum(['approved', 'rejected']),
    reason: z.string().optional(),
    approvedAt: timestamp,
  })
  .meta({ id: 'ExportApproval' });

const evidence = z.looseObject({
  id: z.string(),
  decisionId: z.string().optional(),
  status: z.enum(['pending', 'sealed', 'rejected']),
  evidenceLevel,
  event: z
    .looseObject({
      type: z.string(),
      actor: party,
      action: z.looseObject({ type: z.string() }),
      aiContext: anyObject.optional(),
      occurredAt: timestamp,
    })
    .optional(),
  approval: approval.optional(),
  approvals: z.array(approval).optional(),
  policy: anyObject.optional(),
  content: z.string().nullable().optional(),
  erasedAt: timestamp.optional(),
  metadata: anyObject.optional(),
  responsibility: anyObject.optional(),
  chain: z.object({ hash, previousHash: hash.nullable(), index: z.int(), domain: z.string() }),
  sealedAt: timestamp.nullable().optional(),
  rejectedAt: timestamp.optional(),
  createdAt: timestamp,
});

const record = z.object({
  content: z.string().nullable(),
  previousHash: z.union([bareHash, z.literal('')]),
  timestamp,
});

const inclusion = z.object({
  leafIndex: z.int(),
  treeSize: z.int(),
  hashes: z.array(bareHash),
  checkpoint: z.string(),
});

const attached = z
  .object({
    record: z.object({ content: z.string(), previousHash: record.shape.previousHash, timestamp }),
    disclosures: z.array(z.string()).optional(),
    inclusion: inclusion.optional(),
    head: inclusion.optional(),
  })
  .meta({ id: 'AttachedRecord' });
const author = z.object({ kind: z.string(), id: z.string().optional() });

export const exportDocument = z
  .object({
    '@context': z.url(),
    '@type': z.literal('DecisionProof'),
    version: z.literal('2.0'),
    format: z.literal('countersign/3'),
    kind: z.literal('rejection').optional(),
    exportedAt: timestamp,
    evidence,
    verification: z.object({
      hashAlgorithm: z.literal('SHA-256'),
      chainDomain: z.string(),
      chainIndex: z.int(),
      chainHash: hash,
      previousHash: hash.nullable(),
      verifyUrl: z.url(),
    }),
    record,
    disclosures: z.array(z.string()).optional(),
    credentials: z.array(attached).optional(),
    policies: z.array(attached).optional(),
    erased: z
      .array(
        z.object({
          path: z.string(),
          at: timestamp,
          reason: z.string().nullable(),
          by: author.optional(),
          journal: attached.optional(),
        }),
      )
      .optional(),
    inclusion: inclusion.optional(),
    head: inclusion.optional(),
    outcome: z
      .object({
        status: z.enum(['executed', 'failed', 'unknown']),
        output: anyObject.optional(),
        recordedAt: timestamp,
        journalIndex: z.int(),
        by: author.optional(),
        record: z.object({ content: z.string(), previousHash: record.shape.previousHash, timestamp }),
        disclosures: z.array(z.string()),
        inclusion: inclusion.optional(),
        head: inclusion.optional(),
      })

      .optional(),
    mandateProof: anyObject.optional(),
    publicKey: z.object({ keyId: z.string(), name: z.string(), publicKey: z.string() }).optional(),
  })
  .meta({ id: 'DecisionProof' });
