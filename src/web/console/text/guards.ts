const names: Record<string, string> = {
  policy_existence: 'A policy covers it',
  evidence_level: 'Enough evidence',
  human_review: 'Human review of AI',
  risk_threshold: 'Risk threshold',
  dual_approval: 'Two approvers',
  approver_authentication: 'Approver authentication',
  quorum: 'Quorum of approvers',
  self_approval: 'No self-approval',
};

export const guardWords = (guard: string) => names[guard] ?? guard.replaceAll('_', ' ');
