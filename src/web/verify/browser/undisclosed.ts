type Subject = 'Decision' | 'Actor' | 'AI model' | 'Approvers' | 'Result' | 'Other';

/** Labels of what a proof can omit, by sealed path. */
const LABELS: Record<string, readonly [Subject, string]> = {
  'action.description': ['Decision', 'description'],
  'action.input': ['Decision', 'input'],
  'action.output': ['Decision', 'output'],
  riskScore: ['Decision', 'risk score'],
  tags: ['Decision', 'tags'],
  decisionId: ['Decision', 'reference number'],
  content: ['Decision', 'content'],
  'actor.name': ['Actor', 'name'],
  'actor.id': ['Actor', 'id'],
  'aiContext.model': ['AI model', 'name'],
  'aiContext.provider': ['AI model', 'provider'],
  'aiContext.confidence': ['AI model', 'confidence'],
  'aiContext.reasoning': ['AI model', 'reasoning'],
  'approver.name': ['Approvers', 'names'],
  'approver.id': ['Approvers', 'ids'],
  reason: ['Approvers', 'reasons'],
  'by.id': ['Approvers', 'accounts'],
  signature: ['Approvers', 'signatures'],
  'outcome.output': ['Result', 'reported result'],
  'outcome.by.id': ['Result', 'account that reported it'],
};
const ORDER = Object.values(LABELS);

/** `approvals[1].approver.name` and the like share a label. */
function labelOf(path: string): readonly [Subject, string] {
  const plain = path.replace(/^(?:event|approvals?)(?:\[\d+\])?\.(?=[a-z])/i, '');
  return LABELS[path] ?? LABELS[plain] ?? ['Other', plain];
}

const MANY = /^\d+ of (.+)$/;

/** One line for each subject, such as `Actor: name, id`, in the order of `LABELS`. */
function linesOf(names: readonly string[]): string[] {
  const labels = names.flatMap((name) => MANY.exec(name)?.[1]?.split(' and ') ?? [name]).map(labelOf);
  const known = ORDER.filter((each) => labels.includes(each));
  const bySubject = new Map<Subject, Set<string>>();
  for (const [subject, label] of [...known, ...labels]) {
    bySubject.set(subject, (bySubject.get(subject) ?? new Set()).add(label));
  }
  return [...bySubject].map(([subject, own]) => `${subject}: ${[...own].join(', ')}`);
}

interface Gaps {
  withheld: string[];
  erased: string[];
  /** Whether anything else is missing: then the copy is incomplete for another reason. */
  hasOthers: boolean;
}

/** What the reason of a partial verdict names, in words, one line per subject. */
export function gapsOf(reason: string): Gaps {
  const gaps: Gaps = { withheld: [], erased: [], hasOthers: false };
  for (const clause of reason.split('; ')) {
    const [kind, names] = clause.split(': ', 2);
    if (kind === 'withheld' || kind === 'erased') {
      gaps[kind] = linesOf(names!.split(', '));
    } else if (kind !== 'outcome' && !clause.startsWith('erased by ')) gaps.hasOthers = true;
  }
  return gaps;
}
