import { LABELS } from '@countersign/proof-kit/decision';

const ORDER = [...LABELS.values()];

/** `approvals[1].approver.name` and the like share a label. */
function labelOf(path: string): readonly [subject: string, name: string] {
  const plain = path
    .replace(/^event\.(?=[a-z])/i, '')
    .replace(/^approvals?(?:\[\d+\])?\.(?=[a-z])/i, 'approvals.');
  return LABELS.get(plain) ?? ['Other', plain];
}

const MANY = /^\d+ of (.+)$/;

/** Withheld or erased members: one line for each subject, such as `Actor: name, id`, in the order of the table of members. */
export function linesOf(names: readonly string[]): string[] {
  const labels = names.flatMap((name) => MANY.exec(name)?.[1]?.split(' and ') ?? [name]).map(labelOf);
  const known = ORDER.filter((each) => labels.includes(each));
  const bySubject = new Map<string, Set<string>>();
  for (const [subject, label] of [...known, ...labels]) {
    bySubject.set(subject, (bySubject.get(subject) ?? new Set()).add(label));
  }
  return [...bySubject].map(([subject, own]) => `${subject}: ${[...own].join(', ')}`);
}
