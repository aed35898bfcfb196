const names: Record<string, string> = {
  policy_existence: 'A policy covers it',
  evidence_level: 'Enough evidence',
  human_review: 'Human review of AI',
  risk_threshold: 'Risk threshold',
  dual_approval: 'Two approvers',
  approver_authentication: 'How the approver proves who they are',
  quorum: 'Quorum of approvers',
  self_approval: 'Nobody approves their own',
};

export const guardWords = (guard: string) => names[guard] ?? guard.replaceAll('_', ' ');
