import { recordNumber } from '../../text/chains.ts';
import { type State, sentenceCase } from '../../text/labels.ts';

/** Labels of evidence levels. */
export const levelStates: Record<string, State> = {
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

const kindOf = (referenceType: string) =>
  kinds[referenceType] ?? sentenceCase(referenceType.replace(/[-_.]+/g, ' '));

export const recordTitle = (record: { referenceType: string | null; chainIndex: number }) =>
  `${kindOf(record.referenceType || 'record')}, number ${recordNumber(record.chainIndex)}`;

/** The level above, or null at the top. */
export const nextLevel = (level: string) =>
  level === 'DRAFT' ? 'DOCUMENTED' : level === 'DOCUMENTED' ? 'AUDIT_READY' : null;
