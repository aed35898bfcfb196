import { type Html, html } from './html.ts';

const PARTIES: Record<string, string> = {
  human: 'a person',
  ai_agent: 'an AI agent',
  system: 'a system',
  service: 'a service',
};

/** A party as a reader knows it: its name, else its id, and what it is. */
export function partyOf({
  id,
  type,
  name,
}: {
  id: string;
  type: string;
  name?: string | null | undefined;
}): Html {
  return html`<span class="name">${name || id}</span> <span class="kind">${PARTIES[type] ?? type}</span>`;
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

const DATE = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

export function moment(iso: string): Html {
  return html`<time datetime="${iso}">${DATE.format(new Date(iso))} UTC</time>`;
}
