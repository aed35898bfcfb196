import { erasable } from './labels.ts';

const names: Record<string, string> = {
  platform: 'Platform records',
  proof: 'Sealed decisions',
  audit: 'Audit log',
  journal: 'Journal',
};

export const chainLabel = (domain: string) => names[domain] ?? domain;

/** Chains count from 0, people from 1. */
export const recordNumber = (index: number) => (index + 1).toLocaleString();

/** A chain as a verification names it: one of the center's, or the platform's journal. */
export const reportedChainLabel = (chain: string) =>
  chain === '0/journal' ? 'Platform journal' : chainLabel(chain);

const rows: Record<string, string> = {
  decision_event: 'Decision',
  approval: 'Approval',
  policy_version: 'Policy',
  dpu: 'Record',
  audit_entry: 'Audit entry',
};

export const rowLabel = (table: string) => rows[table] ?? table;

/** Members of rows that proofs do not contain or name differently. */
const members: Record<string, string> = {
  ...Object.fromEntries(erasable),
  event: 'Decision',
  type: 'Kind of decision or entry',
  status: 'Status',
  outcome: 'Outcome',
  occurredAt: 'Time of the decision or entry',
  createdAt: 'Time of recording',
  sealedAt: 'Time of sealing',
  expiresAt: 'Expiry',
  contentHash: 'Content digest',
  'evidence.id': 'Evidence ID',
  dpuId: 'Record',
  'action.type': 'Action type',
  'actor.type': 'Kind of actor',
  approval: 'Reason',
  result: 'Result',
  reason: 'Reason',
  approvedAt: 'Time of the approval',
  'approver.id': 'Approver ID',
  'approver.name': 'Approver name',
  'approver.type': 'Kind of approver',
  'by.id': 'Account or key',
  'by.kind': 'Authentication of the approver',
  signature: 'Passkey signature',
  name: 'Name',
  actionPattern: 'Covered actions',
  guards: 'Guards',
  active: 'Active',
  version: 'Version',
  content: 'Content',
  evidenceLevel: 'Evidence level',
  aiGenerated: 'AI-generated',
  vertical: 'Vertical',
  referenceType: 'Kind of related object',
  referenceId: 'Related object',
  metadata: 'Metadata',
  salt: 'Salt',
  journalIndex: 'Position on the journal: an earlier state was restored',
  domain: 'Chain',
  centerId: 'Center',
  partnerId: 'Partner',
  actorId: 'Actor',
  actorEmail: 'Email of the actor',
  target: 'Changed object',
  detail: 'Details',
  ip: 'IP address',
};

/** How a row differs from its sealed record. */
export function differenceLabel({ index, member }: { index: number | null; member: string | null }): string {
  if (member !== null) return `${members[member] ?? `“${member}”`}: not what was sealed`;
  return index === null ? 'Added without a record' : 'Missing, or different from what was sealed';
}
