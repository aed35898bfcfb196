/** Words for the values of guards. */
import type { Authentication, Level } from './guards.ts';

export const LEVEL_WORDS: Record<Level, string> = {
  DRAFT: 'a draft',
  DOCUMENTED: 'documented',
  AUDIT_READY: 'ready for an audit',
};

export const AUTHENTICATION_SENTENCES: Record<Authentication, string> = {
  ASSERTED: 'an approval that a system reports is enough',
  SESSION: 'approvers must be signed in',
  SIGNED: 'approvers must sign with a passkey',
};

/** A share of 1, to two decimals: `12.5 %`. */
export const percentWords = (share: number): string => `${Number((share * 100).toFixed(2))} %`;
