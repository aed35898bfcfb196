import { type Html, html } from '../html.ts';

const PARTIES: Record<string, string> = {
  human: 'a person',
  ai_agent: 'an AI agent',
  system: 'a system',
  service: 'a service',
};

/** A party by its name, or else its id, and its type; if both are withheld, only the type. */
export function partyOf({ id, type, name }: { id?: string; type: string; name?: string }): Html {
  const known = name || id;
  const kind = PARTIES[type] ?? type;
  if (known === undefined)
    return html`<span class="name">${kind.charAt(0).toUpperCase()}${kind.slice(1)}</span>`;
  return html`<span class="name">${known}</span> <span class="kind">${kind}</span>`;
}

const KINDS: Record<string, string> = {
  agent_execution: 'Action of an agent',
  workflow_step: 'Step of a workflow',
  human_approval: 'Approval by a person',
  ai_recommendation: 'Recommendation of an AI',
  automated_action: 'Automated action',
  policy_decision: 'Decision by policy',
  escalation: 'Escalation',
  custom: 'Decision',
};

export const kindOf = (type: string): string => KINDS[type] ?? type;

const AUTHENTICATIONS: Record<string, string> = {
  api_key: 'as reported by a system with an API key',
  session: 'signed in',
  passkey: 'signed with a passkey',
  system: 'by the service itself, as the policy allows',
};

/** How an approver was authenticated. */
export const authenticationOf = (kind: string): string => AUTHENTICATIONS[kind] ?? kind;

const DATE = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

export function moment(iso: string): Html {
  return html`<time datetime="${iso}">${DATE.format(new Date(iso))} UTC</time>`;
}
