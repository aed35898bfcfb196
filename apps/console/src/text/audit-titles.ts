// The titles of audit entries. The type is fixed by the service; the details of an entry say what kind of change it was.

const names: Record<string, string> = {
  'auth.signed_in': 'Signed in',
  'auth.session_revoked': 'Session ended',
  'center.created': 'Center created',
  'center.updated': 'Settings changed',
  'membership.moved': 'Membership changed',
  'partner.onboarded': 'Partner created',
  'partner.settings_changed': 'Partner settings changed',
  'dpu.level_raised': 'Record level raised',
  'decision.sealed': 'Decision sealed',
  'api_key.changed': 'Key or credential changed',
  'webhook.changed': 'Webhook changed',
  'workflow.executed': 'Workflow executed',
};

export const auditTypes = Object.keys(names);
export const auditLabel = (type: string) => names[type] ?? type;

/** The types as choices of a filter, with all that belongs to them. */
export const auditChoices = auditTypes.map((value) => ({
  value,
  label: value === 'center.updated' ? 'Settings, rules and approvals changed' : auditLabel(value),
}));

/** Changes of a center with a title of their own, by `change`. */
const centerChanges: Record<string, string> = {
  'group created': 'Approval group created',
  'group renamed': 'Approval group renamed',
  'group members': 'Approval group members changed',
  'group deleted': 'Approval group deleted',
  'group source': 'Approval group handed over',
  'group external id': 'Approval group linked to the directory',
  'delegation given': 'Approvals delegated',
  'delegation ended': 'Delegation ended',
  'identity provider created': 'Identity provider set up',
  'identity provider changed': 'Identity provider changed',
  'identity provider removed': 'Identity provider removed',
  'chat channel created': 'Chat channel created',
  'chat channel changed': 'Chat channel changed',
  'chat channel deleted': 'Chat channel deleted',
  'chat channel tested': 'Chat channel tested',
  'decision approved': 'Decision approved',
  'decision rejected': 'Decision rejected',
  'decision erased': 'Personal data erased',
  'content erased': 'Content of a record erased',
  'erasure requested': 'Erasure requested',
  'practice request': 'Practice request recorded',
  'email domain verified': 'Email domain verified',
  'email domain lost': 'Email domain no longer verified',
};

/** By `kind`: the title, or the thing that `change` happened to. */
const centerKinds: Record<string, string> = { booking: 'Booking changed', hours: 'Hours changed' };

const workflowChanges: Record<string, string> = {
  created: 'Workflow created',
  updated: 'Workflow changed',
  paused: 'Workflow paused',
  resumed: 'Workflow resumed',
  deleted: 'Workflow deleted',
};

const credentialChanges: Record<string, string> = {
  created: 'API key created',
  rotated: 'API key rotated',
  revoked: 'API key revoked',
  'passkey registered': 'Passkey added',
  'passkey removed': 'Passkey removed',
  'password replaced': 'Password changed',
  'identity linked': 'Company sign-in connected',
  'identity unlinked': 'Company sign-in disconnected',
  'scim_token created': 'SCIM token created',
  'scim_token rotated': 'SCIM token rotated',
  'scim_token revoked': 'SCIM token revoked',
};

const centerStates: Record<string, string> = {
  ACTIVE: 'Center reopened',
  SUSPENDED: 'Center suspended',
  INACTIVE: 'Center closed',
};

const textAt = (value: unknown, member: string): string => {
  const found = typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined;
  return typeof found === 'string' ? found : '';
};
const memberOf = (value: unknown, member: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined;

/** A title that includes the change; undefined if the type is all there is to say. */
function changeTitle(type: string, detail: unknown): string | undefined {
  const [change, kind] = [textAt(detail, 'change'), textAt(detail, 'kind')];
  if (type === 'api_key.changed') return credentialChanges[kind ? `${kind} ${change}` : change];
  if (type !== 'center.updated') return undefined;
  if (kind === 'workflow') return workflowChanges[change];
  if (change === 'policy') return memberOf(detail, 'version') === 1 ? 'Policy created' : 'Policy changed';
  return centerChanges[change];
}

/** Whether the title says what `change` says. */
export const saysChange = (type: string, detail: unknown): boolean => changeTitle(type, detail) !== undefined;

export function auditTitle({ type, detail }: { type: string; detail: unknown }): string {
  const title = changeTitle(type, detail);
  if (title) return title;
  if (type !== 'center.updated') return auditLabel(type);
  if (memberOf(detail, 'subscription')) return 'Subscription changed';
  const state = textAt(memberOf(detail, 'to'), 'status');
  return centerKinds[textAt(detail, 'kind')] ?? centerStates[state] ?? auditLabel(type);
}
