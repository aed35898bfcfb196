const names: Record<string, string> = {
  platform: 'Records of the platform',
  proof: 'Sealed decisions',
  audit: 'Audit log',
  journal: 'Journal',
};

export const chainWords = (domain: string) => names[domain] ?? domain;
