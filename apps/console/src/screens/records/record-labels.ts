import type { Tone } from '../../text/labels.ts';

/** Labels of evidence levels. */
export const levelStates: Record<string, [word: string, tone: Tone]> = {
  DRAFT: ['Draft', 'warn'],
  DOCUMENTED: ['Documented', 'info'],
  AUDIT_READY: ['Ready for an audit', 'good'],
};

const kinds: Record<string, string> = {
  'lms-attendance': 'Attendance',
  'lms-event': 'Certificate',
  demo: 'Demo record',
  workflow: 'Workflow run',
};

/** The title of a record. */
export function recordKind(referenceType: string | null): string {
  if (!referenceType) return 'Record';
  const known = kinds[referenceType];
  if (known) return known;
  const words = referenceType.replace(/[-_.]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The level above, or null at the top. */
export const nextLevel = (level: string) =>
  level === 'DRAFT' ? 'DOCUMENTED' : level === 'DOCUMENTED' ? 'AUDIT_READY' : null;
