import { z } from 'zod';
import { A_PERSON, A_PREFIXED_HASH, doc } from '../lib/doc.ts';
import { chainPlace, prefixedHash } from './proof-shapes.ts';
import { evidenceLevel, ids, timestamp } from './schemas.ts';

/** The shape of an export, used for both sealed decisions and platform records. */
const bareHash = z.string().regex(/^[0-9a-f]{64}$/);
const anyObject = z.record(z.string(), z.unknown());
const partyOf = (who: string, id: string, type: string, name: string) =>
  z.looseObject({
    id: z
      .string()
      .optional()
      .meta(doc(`The id of the ${who} in the reporting system, or of the person in this service.`, id)),
    type: z.string().meta(doc(`What kind of ${who} it is, such as \`${type}\`.`, type)),
    name: z
      .string()
      .optional()
      .meta(doc('The name that people see; left out if none was given or it is withheld.', name)),
  });

const approval = z
  .looseObject({
    approver: partyOf('approver', 'dr-kim', 'human', 'Dr. Kim').describe('Who approved or rejected.'),
    result: z.enum(['approved', 'rejected']).describe('Whether the approver approved or rejected.'),
    reason: z
      .string()
      .optional()
      .meta(
        doc(
          'Why, in the words of the person; left out if none was given or it is withheld.',
          'Fits the plan.',
        ),
      ),
    approvedAt: timestamp.describe('When the approval was recorded, in UTC.'),
  })
  .meta({ id: 'ExportApproval' });

const evidence = z.looseObject({
  id: z.string().meta(ids.evidence),
  decisionId: z.string().optional().meta(ids.decision),
  status: z
    .enum(['pending', 'sealed', 'rejected'])
    .describe('Whether the decision or record is sealed, rejected, or still pending.'),
  evidenceLevel: evidenceLevel.describe('The level of the evidence when the document was created.'),
  event: z
    .looseObject({
      type: z.string().describe('What kind of decision it is.'),
      actor: partyOf('actor', 'triage-bot', 'ai_agent', 'Triage bot').describe('Who or what decided.'),
      action: z
        .looseObject({
          type: z
            .string()
            .meta(doc('The action type, defined by you. Policies match it by pattern.', 'refund.grant')),
        })
        .describe('What was decided: its type, input and output.'),
      aiContext: anyObject.optional().describe('The model behind the decision and its own assessment.'),
      occurredAt: timestamp.describe(
        'When the decision was made: the time at which it was recorded, in UTC.',
      ),
    })
    .optional()
    .describe('The decision, as far as it is disclosed.'),
  approval: approval.optional().describe('The approval that sealed the decision.'),
  approvals: z.array(approval).optional().describe('All approvals, oldest first.'),
  policy: anyObject.optional().describe('The policy it was decided under.'),
  mandate: z
    .looseObject({
      id: z.string().describe('The id of the mandate, `mnd_…`.'),
      eventId: z.string().describe('The decision that granted it.'),
      use: z.int().describe('The number of the use, from 1.'),
      spent: z.number().optional().describe('The total after this use; left out without a budget.'),
      previous: z
        .string()
        .optional()
        .describe('The hash of the record of the use before, 64 hex digits; empty for the first use.'),
    })
    .optional()
    .describe('The mandate that approved it, as sealed; left out if none did.'),
  content: z
    .string()
    .nullable()
    .optional()
    .meta(
      doc(
        'The exact text that was hashed; null if it is withheld or erased, left out for decisions.',
        'Therapy plan of week 12 confirmed',
      ),
    ),
  erasedAt: timestamp.optional().describe('When the content was erased, in UTC; left out if it was not.'),
  metadata: anyObject
    .optional()
    .meta(doc('Notes attached to the record; not part of the chain hash.', { ticket: 'T-7' })),
  responsibility: anyObject.optional().describe('Who, what, when, where, why and how, as sealed.'),
  chain: chainPlace.describe('The position of the record in its hash chain.'),
  sealedAt: timestamp.nullable().optional().describe('When it was sealed, in UTC; null until then.'),
  rejectedAt: timestamp
    .optional()
    .meta(doc('When the rejection was written to the journal, in UTC.', '2026-11-15T09:30:00.000Z')),
  createdAt: timestamp.describe('When the decision or the record was created, in UTC.'),
});

const record = z.object({
  content: z
    .string()
    .nullable()
    .meta(
      doc(
        'The exact text that was hashed; null if it is withheld or erased.',
        'Therapy plan of week 12 confirmed',
      ),
    ),
  previousHash: z
    .union([bareHash, z.literal('')])
    .meta(doc('The hash of the previous record, as 64 hex digits; empty for the first record.', '')),
  timestamp: timestamp.meta(
    doc('The time that was hashed, ISO 8601 in UTC with milliseconds.', '2026-11-15T09:30:00.000Z'),
  ),
});

const inclusion = z
  .object({
    leafIndex: z.int().meta(doc('The position in the tree, counted from 0.', 41)),
    treeSize: z.int().meta(doc('The number of leaves of the tree.', 42)),
    hashes: z.array(bareHash).meta(doc('The hashes of the inclusion proof, leaf side first.', [])),
    checkpoint: z
      .string()
      .meta(
        doc(
          'The signed checkpoint of the chain or log, as text (C2SP tlog-checkpoint).',
          'countersign.example/chains/12/proof\n42\n…\n\n— countersign.example …\n',
        ),
      ),
  })
  .meta({ id: 'InclusionProof' });

/** A record whose content was not erased. */
const hashed = record
  .extend({
    content: z.string().meta(doc('The exact text that was hashed.', 'Therapy plan of week 12 confirmed')),
  })
  .describe('Exactly what was hashed.');

const disclosures = z.array(z.string()).meta(doc('Disclosures of sealed members (RFC 9901).', []));
const inclusionProofs = {
  inclusion: inclusion.optional().describe('The proof that the record is in the signed tree of its chain.'),
  head: inclusion
    .optional()
    .describe('The proof that the checkpoint is in the head log, with the cosignatures of witnesses.'),
};

/** The head of the document's own record. */
const ownHead = inclusion.extend({
  closings: z
    .array(
      z.object({
        note: z
          .string()
          .meta(
            doc(
              'The note that the service signed when it closed a log, as text.',
              'countersign.example/log/closings\n1\n…\n\n— countersign.example …\n',
            ),
          ),
        statement: z
          .object({
            reason: z
              .string()
              .meta(doc('Why, in the words of the administrator.', 'The primary burned down.')),
            chains: z
              .array(
                z.object({
                  origin: z
                    .string()
                    .meta(doc('The name of the chain.', 'countersign.example/chains/12/proof')),
                  signed: z.int().meta(doc('How many records were signed.', 42)),
                  present: z.int().meta(doc('How many of them were left.', 40)),
                }),
              )
              .describe('The chains that lost records.'),
          })
          .describe('What the note names by its digest.'),
      }),
    )
    .optional()
    .meta(
      doc(
        'The statements that closed the logs before this one after a loss, oldest first; left out for the first log.',
        [],
      ),
    ),
});

const attached = z
  .object({ record: hashed, disclosures: disclosures.optional(), ...inclusionProofs })
  .meta({ id: 'AttachedRecord' });
const author = z.object({
  kind: z.string().describe('The kind of caller: a person, an API key or the service.'),
  id: z.string().optional().meta(doc('The id of the person (a UUID) or of the API key, `key_…`.', A_PERSON)),
});

export const exportDocument = z
  .object({
    '@context': z
      .url()
      .meta(
        doc(
          'The JSON-LD context with which the document can be expanded.',
          'https://countersign.example/schemas/decision-proof/v2',
        ),
      ),
    '@type': z.literal('DecisionProof').describe('The JSON-LD type of the document, always `DecisionProof`.'),
    version: z.literal('2.0').describe('The version of the document format, 2.0.'),
    format: z
      .literal('countersign/4')
      .meta(doc('The format that verifiers read; other formats are refused.', 'countersign/4')),
    kind: z.literal('rejection').optional().describe('Set in the proof of a rejection.'),
    exportedAt: timestamp.describe('When this document was created.'),
    evidence: evidence.describe('The decision and its approvals, as far as they are disclosed.'),
    verification: z
      .object({
        hashAlgorithm: z.literal('SHA-256').describe('The algorithm of all hashes, always SHA-256.'),
        chainDomain: z.string().meta(doc('The name of the chain that the record is on.', 'proof')),
        chainIndex: z.int().meta(doc('The position in the chain, counted from 0.', 41)),
        chainHash: prefixedHash.meta(doc('The hash of the record on its chain.', A_PREFIXED_HASH)),
        previousHash: prefixedHash
          .nullable()
          .meta(doc('The hash of the previous record; null for the first one.', null)),
        verifyUrl: z
          .url()
          .meta(
            doc(
              'The public verification page of this record.',
              'https://countersign.example/verify/evt_01k9zq2m0000000000000000e1',
            ),
          ),
      })
      .describe('Data for verifying the position in the chain.'),
    record: record.describe('Exactly what was hashed.'),
    disclosures: disclosures.optional(),
    credentials: z
      .array(attached)
      .optional()
      .meta(doc('The registrations of the passkeys that signed, from the audit chain of the platform.', [])),
    policies: z
      .array(attached)
      .optional()
      .meta(doc('The versions of policies by which the decision was sealed, from the journals.', [])),
    groups: z
      .array(attached)
      .optional()
      .meta(
        doc(
          'The groups whose seats were filled, from the journal of the center, each as of the seal. Only approvers are disclosed.',
          [],
        ),
      ),
    delegations: z
      .array(attached)
      .optional()
      .meta(doc('The delegations under which seats were filled, from the journal of the center.', [])),
    erased: z
      .array(
        z.object({
          path: z.string().meta(doc('Which member was erased, with dots between names.', 'action.input')),
          at: timestamp.meta(doc('When the member was erased, in UTC.', '2026-11-15T09:30:00.000Z')),
          reason: z
            .string()
            .nullable()
            .meta(
              doc(
                'Why, in the words of the person; left out if none was given or it is withheld.',
                'Fits the plan.',
              ),
            ),
          by: author.optional().describe('The caller who erased it.'),
          journal: attached.optional().describe('The journal entry that states the erasure, with its proof.'),
        }),
      )
      .optional()
      .meta(doc('Erased members with time and reason. Their digests remain sealed.', [])),
    ...inclusionProofs,
    head: ownHead
      .optional()
      .describe('The proof that the checkpoint is in the head log, with the cosignatures of witnesses.'),
    outcome: z
      .object({
        status: z
          .enum(['executed', 'failed', 'unknown'])
          .describe('Whether the action was executed or failed, or its outcome is unknown.'),
        output: anyObject.optional().meta(doc('What the action gave, an object.', { refundId: 're_77' })),
        recordedAt: timestamp.describe('When the outcome was reported, in UTC.'),
        journalIndex: z.int().meta(doc("The index of its entry on the center's journal, from 0.", 57)),
        by: author.optional().describe('The caller who reported it.'),
        record: hashed,
        disclosures,
        ...inclusionProofs,
      })
      .optional()
      .describe('What became of the decision, with its journal entry; left out if nothing was reported.'),
    mandateProof: anyObject.optional().describe('The proof of the decision that granted the mandate.'),
    publicKey: z
      .object({
        keyId: z.string().meta(doc('The id of the key, eight hex digits.', '7c1d3f0a')),
        name: z.string().meta(doc('The name of the signer, as in signature lines.', 'countersign.example')),
        publicKey: z.string().describe('The public key, 32 bytes in base64.'),
      })
      .optional()
      .describe('The key that signed the checkpoint.'),
  })
  .meta({ id: 'DecisionProof' });
