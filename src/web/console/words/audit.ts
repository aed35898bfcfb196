import type { Json } from '../graphql/graphql.ts';

const names: Record<string, string> = {
  'auth.signed_in': 'Signed in',
  'auth.session_revoked': 'A session was ended',
  'center.created': 'The center was made',
  'center.updated': 'Settings were changed',
  'membership.moved': 'A membership was changed',
  'partner.onboarded': 'A partner was taken on',
  'partner.settings_changed': 'Settings of the partner were changed',
  'dpu.level_raised': 'The level of a record was raised',
  'decision.sealed': 'A decision was sealed',
  'api_key.changed': 'An API key was changed',
  'webhook.changed': 'A webhook was changed',
  'workflow.executed': 'A workflow ran',
};

export const auditTypes = Object.keys(names);
export const auditWords = (type: string) => names[type] ?? type;

/** The facts of an entry in one line. */
export function inShort(detail: Json): string {
  if (detail === null || typeof detail !== 'object' || Array.isArray(detail)) return '';
  return Object.entries(detail)
    .filter(([, value]) => value !== null && typeof value !== 'object')
    .slice(0, 4)
    .map(([name, value]) => `${name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()}: ${value}`)
    .join(', ');
}
