const names: Record<string, string> = {
  platform: 'Records of the platform',
  proof: 'Sealed decisions',
  audit: 'Audit log',
  journal: 'Journal',
};

export const chainWords = (domain: string) => names[domain] ?? domain;

const rows: Record<string, string> = {
  decision_event: 'Decision',
  approval: 'Approval',
  policy_version: 'Policy',
  dpu: 'Record',
  audit_entry: 'Audit entry',
};

export const rowWords = (table: string) => rows[table] ?? table;
