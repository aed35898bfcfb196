import { erasable } from './disclosure.ts';

const names: Record<string, string> = {
  platform: 'Records of the platform',
  proof: 'Sealed decisions',
  audit: 'Audit log',
  journal: 'Journal',
};

export const chainWords = (domain: string) => names[domain] ?? domain;

/** A chain as a verification names it: one of the center's, or the journal that stands above all centers. */
export const sayingChain = (chain: string) =>
  chain === '0/journal' ? 'Journal of the platform' : chainWords(chain);

const rows: Record<string, string> = {
  decision_event: 'Decision',
  approval: 'Approval',
  policy_version: 'Policy',
  dpu: 'Record',
  audit_entry: 'Audit entry',
};

export const rowWords = (table: string) => rows[table] ?? table;

/** Members of rows that proofs do not know of, or that are called otherwise there. */
const members: Record<string, string> = {
  ...Object.fromEntries(erasable),
  event: 'What was decided',
  type: 'The kind',
  status: 'The status',
  outcome: 'What became of it',
  occurredAt: 'The time',
  createdAt: 'The time it was recorded',
  sealedAt: 'The time it was sealed',
  expiresAt: 'The time it expires',
  contentHash: 'The digest of its content',
  'evidence.id': 'The id of its evidence',
  dpuId: 'The record it belongs to',
  'action.type': 'The kind of action',
  'actor.type': 'The kind of actor',
  approval: 'What was said',
  result: 'Yes or no',
  reason: 'The reason',
  approvedAt: 'The time',
  'approver.id': 'The id of the approver',
  'approver.name': 'The name of the approver',
  'approver.type': 'The kind of approver',
  'by.id': 'The account or key it came from',
  'by.kind': 'How the approver was known',
  signature: 'The signature',
  name: 'The name',
  actionPattern: 'The actions it is for',
  guards: 'The guards',
  active: 'Whether it is in force',
  version: 'The version',
  content: 'The content',
  evidenceLevel: 'The level',
  aiGenerated: 'Whether an AI made it',
  vertical: 'The line of business',
  referenceType: 'The kind of what it is about',
  referenceId: 'What it is about',
  metadata: 'The facts beside it',
  salt: 'The salt of its digests',
  journalIndex: 'Its place on the journal: it was put back to what it was before',
  domain: 'The chain it stands on',
  centerId: 'The center it belongs to',
  partnerId: 'The partner it belongs to',
  actorId: 'Who did it',
  actorEmail: 'The email of who did it',
  target: 'What it was done to',
  detail: 'The details',
  ip: 'Where it was done from',
};

/** What is wrong with a row that is not what was sealed. */
export function differenceWords({ index, member }: { index: number | null; member: string | null }): string {
  if (member !== null) return `${members[member] ?? `“${member}”`}: not what was sealed`;
  return index === null ? 'Was added: no record speaks of it' : 'Is gone, or is not the one that was sealed';
}
