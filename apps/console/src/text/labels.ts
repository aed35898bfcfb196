// Labels for the service's enum values.
import { oneLine, printable } from '@countersign/proof-kit/printable';

export const verticalLabels: Record<string, string> = {
  commerce: 'Commerce',
  education: 'Education',
  interior: 'Interior',
  mentoring: 'Mentoring',
  pharmacy: 'Pharmacy',
  rehabilitation: 'Rehabilitation',
  welfare: 'Welfare',
};

/** How a center is set up. */
export const tenantLabels: Record<string, string> = {
  CENTER: 'Center',
  WHITE_LABEL: 'White label',
  PROGRAM: 'Program',
  WORKSPACE: 'Workspace',
};

/** Kinds of centers that a partner can create. */
export const tenantHints: Record<string, string> = {
  CENTER: 'Uses your name and an address of this service.',
  WHITE_LABEL: 'Has its own branding and domain.',
  WORKSPACE: 'For your own team, not for customers.',
};

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

export type State = [word: string, tone: Tone];

export const membershipStates: Record<string, State> = {
  INVITED: ['Invited', 'info'],
  PENDING: ['Waiting for approval', 'warn'],
  ACTIVE: ['Active', 'good'],
  SUSPENDED: ['Suspended', 'bad'],
  REJECTED: ['Declined', 'quiet'],
  ENDED: ['Ended', 'quiet'],
};

export const subscriptionStates: Record<string, State> = {
  TRIAL: ['Trial', 'info'],
  ACTIVE: ['Paid', 'good'],
  PAST_DUE: ['Payment is overdue', 'warn'],
  SUSPENDED: ['Suspended', 'bad'],
  CANCELED: ['Canceled', 'quiet'],
};

export const executionStates: Record<string, State> = {
  RUNNING: ['Running', 'info'],
  AWAITING_REVIEW: ['Waiting for review', 'warn'],
  COMPLETED: ['Completed', 'good'],
  FAILED: ['Failed', 'bad'],
  CANCELLED: ['Canceled', 'quiet'],
};

export const stepStates: Record<string, State> = {
  RUNNING: ['Running', 'info'],
  WAITING: ['Waiting', 'warn'],
  COMPLETED: ['Done', 'good'],
  FAILED: ['Failed', 'bad'],
  SKIPPED: ['Skipped', 'quiet'],
};

export const centerStates: Record<string, State> = {
  ACTIVE: ['Open', 'good'],
  SUSPENDED: ['Suspended', 'warn'],
  INACTIVE: ['Ended', 'quiet'],
};

export const paymentStates: Record<string, State> = {
  COMPLETED: ['Paid', 'good'],
  FAILED: ['Failed', 'bad'],
};

export const decisionStates: Record<string, State> = {
  recorded: ['Waiting for approval', 'warn'],
  approved: ['Approved once', 'info'],
  sealed: ['Sealed', 'good'],
  rejected: ['Rejected', 'bad'],
};

export const decisionTypes: Record<string, string> = {
  agent_execution: 'Agent execution',
  ai_recommendation: 'AI recommendation',
  automated_action: 'Automated action',
  custom: 'Other decision',
  escalation: 'Escalation',
  human_approval: 'Human approval',
  policy_decision: 'Policy decision',
  workflow_step: 'Workflow step',
};

export const actorKinds: Record<string, string> = {
  ai_agent: 'AI agent',
  human: 'Person',
  service: 'Service',
  system: 'System',
};

export const stateOf = (states: Record<string, State>, value: string): State =>
  states[value] ?? [value, 'quiet'];

/** "therapy.plan.adjust" becomes "Therapy plan adjust". */
function actionWords(type: string): string {
  const words = type.replace(/[._-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The title of a decision in lists, as on its card. */
export const headlineOf = (action: {
  type: string;
  description?: string | null;
  words?: { label: string } | null;
}) => oneLine(action.description?.trim() || action.words?.label || actionWords(action.type));

/** Who asked, in lists. A key that acts itself goes by its name. */
export const askerOf = ({
  actor: { id, name },
  requestedBy,
}: {
  actor: { id: string; name: string | null };
  requestedBy?: { id: string | null; name: string | null } | null;
}) => printable(name || (requestedBy?.id === id && requestedBy.name) || id || 'erased');

export const sentenceCase = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The name of a JSON member in words: "maxAmount" becomes "Max amount". */
export const memberLabel = (name: string) =>
  sentenceCase(
    name
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .replace(/[_-]+/g, ' ')
      .toLowerCase(),
  );

export const percent = (part: number) => `${Math.round(part * 100)} %`;

export const count = (n: number, one: string, many = `${one}s`) =>
  `${n.toLocaleString('en')} ${n === 1 ? one : many}`;

const browsers = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;

const systems = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'macOS'],
  [/Windows/, 'Windows'],
  [/Linux|X11/, 'Linux'],
] as const;

/** "Firefox on Windows", from a user agent. */
export function deviceLabel(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device';
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (!browser) return userAgent.split(/[/\s]/)[0] || 'A program';
  return system ? `${browser} on ${system}` : browser;
}

/** Values that a proof discloses or withholds, by their path in the sealed record. */
export const disclosable: [path: string, label: string][] = [
  ['decisionId', 'Your decision ID'],
  ['actor.id', 'Actor ID'],
  ['actor.name', 'Actor name'],
  ['action.description', 'Action description'],
  ['action.input', 'Input'],
  ['action.output', 'Output'],
  ['aiContext.model', 'Model name'],
  ['aiContext.provider', 'Model provider'],
  ['aiContext.confidence', 'Model confidence'],
  ['aiContext.reasoning', 'Model reasoning'],
  ['tags', 'Tags'],
  ['riskScore', 'Risk score'],
  ['approvals.approver.id', 'Approver IDs'],
  ['approvals.approver.name', 'Approver names'],
  ['approvals.reason', 'Approver reasons'],
  ['outcome.output', 'Reported output'],
  ['outcome.by.id', 'Account or key that reported the outcome'],
];

/** Values that can be erased. */
export const erasable: [path: string, label: string][] = [
  ...disclosable.filter(([path]) => path !== 'outcome.by.id'),
  ['approvals.by.id', 'Accounts or keys that approved'],
  ['approvals.signature', 'Approver signatures'],
];
