import { LEVEL_WORDS } from '@countersign/proof-kit/guard-words';

export const scopeLabels: Record<string, string> = {
  CENTER: 'This center',
  REGION: 'All centers of the region',
  COUNTRY: 'All centers of the country',
  GLOBAL: 'All centers',
};

export const levelLabels: Record<string, string> = LEVEL_WORDS;

export const authenticationLabels: Record<string, string> = {
  ASSERTED: 'Asserted by an API key',
  SESSION: 'Signed in',
  SIGNED: 'Signed with a passkey',
};
