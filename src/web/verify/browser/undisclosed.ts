/** What a proof can leave out, in words, by the path under which it is sealed. */
const LABELS: Record<string, string> = {
  decisionId: 'the id of the decision in the system that made it',
  'actor.id': 'the id of the actor',
  'actor.name': 'the name of the actor',
  'action.description': 'the description of the action',
  'action.input': 'what the decision was based on',
  'action.output': 'what came out of it',
  'aiContext.model': 'the model',
  'aiContext.provider': 'the provider of the model',
  'aiContext.confidence': 'the confidence of the model',
  'aiContext.reasoning': 'the reasoning of the model',
  tags: 'the tags',
  riskScore: 'the risk score',
  'approver.id': 'the ids of the approvers',
  'approver.name': 'the names of the approvers',
  reason: 'the reasons of the approvers',
  'by.id': 'the accounts or keys that approved',
  signature: 'the signatures of the approvers',
  'outcome.output': 'the reported result',
  'outcome.by.id': 'the account or key that reported the result',
  content: 'the content',
};

/** `approvals[1].approver.name` and the like are of one kind. */
function labelOf(path: string): string {
  const plain = path.replace(/^(?:event|approvals?)(?:\[\d+\])?\.(?=[a-z])/i, '');
  return LABELS[path] ?? LABELS[plain] ?? 'a part that this page has no name for';
}

const MANY = /^\d+ of (.+)$/;

const labelsOf = (name: string): string[] => (MANY.exec(name)?.[1]?.split(' and ') ?? [name]).map(labelOf);

export interface Gaps {
  withheld: string[];
  erased: string[];
  /** Whether anything else is missing: then the copy is incomplete for another cause. */
  hasOthers: boolean;
}

/** What the reason of a partial verdict names, in words. */
export function gapsOf(reason: string): Gaps {
  const gaps: Gaps = { withheld: [], erased: [], hasOthers: false };
  for (const clause of reason.split('; ')) {
    const [kind, names] = clause.split(': ', 2);
    if (kind === 'withheld' || kind === 'erased') {
      gaps[kind] = [...new Set(names!.split(', ').flatMap(labelsOf))];
    } else if (kind !== 'outcome' && !clause.startsWith('erased by ')) gaps.hasOthers = true;
  }
  return gaps;
}

export function listed(labels: readonly string[]): string {
  if (labels.length < 2) return labels.join('');
  return `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}`;
}
