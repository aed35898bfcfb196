import type { Step } from './steps.ts';

/** A value that expressions can read, for completion and for validation before saving. */
export interface NamedValue {
  name: string;
  type: 'text' | 'number' | 'boolean' | 'time' | 'json';
  description: string;
}

const value = (name: string, type: NamedValue['type'], description: string): NamedValue => ({
  name,
  type,
  description,
});

/** The members of each variable with a fixed set of them. */
const variableMembers: Record<string, NamedValue[]> = {
  facts: [
    value('members', 'number', 'Active members of the center'),
    value('instructors', 'number', 'Active instructors'),
    value('children', 'number', 'Active children'),
    value('bookingsNext7Days', 'number', 'Bookings in the next 7 days'),
    value('bookingsLast7Days', 'number', 'Bookings in the last 7 days'),
    value('attendanceLast7Days', 'number', 'Attendances in the last 7 days'),
    value('certificatesLast30Days', 'number', 'Certificates issued in the last 30 days'),
    value('decisionsWaiting', 'number', 'Decisions waiting for approval'),
    value('draftRecords', 'number', 'Decision records at level DRAFT'),
    value('paymentsFailedLast30Days', 'number', 'Failed payments in the last 30 days'),
  ],
  center: [
    value('id', 'number', 'ID of the center'),
    value('name', 'text', 'Name of the center'),
    value('domain', 'text', 'Subdomain of the center'),
    value('vertical', 'text', 'Vertical of the center'),
  ],
  workflow: [
    value('id', 'text', 'ID of the workflow'),
    value('name', 'text', 'Name of the workflow'),
    value('vertical', 'text', 'Vertical of the workflow'),
    value('version', 'number', 'Version that runs'),
  ],
  execution: [
    value('id', 'text', 'ID of the run'),
    value('startedBy', 'text', 'Actor ID, event ID or "schedule"'),
    value('startedAt', 'time', 'Start of the run'),
  ],
  event: [
    value('id', 'text', 'ID of the event; empty if no event started the run'),
    value('type', 'text', 'Type of the event'),
    value('data', 'json', 'Data of the event'),
    value('createdAt', 'time', 'Time of the event'),
  ],
};

/** The output members of each kind of step. */
export const outputMembers: Record<Step['kind'], NamedValue[]> = {
  template: [value('text', 'text', 'The text')],
  http: [value('status', 'number', 'Status of the response'), value('body', 'json', 'Body of the response')],
  condition: [value('holds', 'boolean', 'Whether the condition holds')],
  branch: [value('holds', 'boolean', 'Whether the condition holds')],
  wait: [value('until', 'time', 'End of the wait')],
  emit_event: [value('type', 'text', 'Type of the event'), value('data', 'json', 'Data of the event')],
  record_decision: [
    value('eventId', 'text', 'ID of the decision event'),
    value('decisionId', 'text', 'ID of the decision'),
  ],
  human_review: [
    value('approved', 'boolean', 'Whether the reviewer approved'),
    value('reason', 'text', 'Reason of the reviewer'),
    value('reviewerId', 'text', 'Actor ID of the reviewer'),
  ],
  ai: [
    value('text', 'text', 'Answer of the model'),
    value('model', 'text', 'The model'),
    value('finishReason', 'text', 'Why the model stopped'),
  ],
};

/** Every value that expressions of any workflow can read, by full name. */
export const commonValues: NamedValue[] = [
  ...Object.entries(variableMembers).flatMap(([variable, members]) =>
    members.map((member) => ({ ...member, name: `${variable}.${member.name}` })),
  ),
  value('now', 'time', 'Time at which the step runs'),
];

/** Why a member of a variable with fixed members is invalid; null if it is valid. */
export function variableProblem([variable, member, ...deeper]: string[]): string | null {
  const members = variableMembers[variable!];
  return members && member !== undefined ? memberProblem(variable!, members, [member, ...deeper]) : null;
}

/** Why a member of a step's output is invalid; null if it is valid. */
export function outputProblem(step: string, kind: Step['kind'], path: string[]): string | null {
  return path.length === 0 ? null : memberProblem(`steps.${step}`, outputMembers[kind], path);
}

function memberProblem(owner: string, members: NamedValue[], [member, ...deeper]: string[]): string | null {
  const known = members.find(({ name }) => name === member);
  if (!known) {
    return `unknown property ${owner}.${member}: use ${members.map(({ name }) => `${owner}.${name}`).join(', ')}`;
  }
  if (deeper.length === 0 || known.type === 'json') return null;
  return `unknown property ${owner}.${member}.${deeper[0]}: ${owner}.${member} has no properties`;
}
