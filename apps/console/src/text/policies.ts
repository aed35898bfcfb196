export const scopeLabels: Record<string, string> = {
  CENTER: 'This center',
  REGION: 'All centers of the region',
  COUNTRY: 'All centers of the country',
  GLOBAL: 'All centers',
};

export const levelLabels: Record<string, string> = {
  DRAFT: 'a draft',
  DOCUMENTED: 'documented',
  AUDIT_READY: 'ready for an audit',
};

export const authenticationLabels: Record<string, string> = {
  ASSERTED: 'Asserted by an API key',
  SESSION: 'Signed in',
  SIGNED: 'Signed with a passkey',
};
