import { guardSentence } from '@countersign/proof-kit/guard-sentences';
import { expect, test } from 'vitest';

test.each([
  ['risk at most 0.8', 'Risk at most 80 %'],
  [
    'risk over 0.8: approval by a human: awaited',
    'Approval by a human, because the risk is over 80 %: still missing',
  ],
  ['risk over 0.75: approval by a human: given', 'Approval by a human, because the risk is over 75 %: given'],
  [
    'risk not rated: approval by a human: awaited',
    'Approval by a human, because the risk is not rated: still missing',
  ],
  ['level DRAFT, at least DOCUMENTED required', 'A draft; at least documented is required'],
  ['approvers at least SIGNED', 'Approvers must sign with a passkey'],
  [
    'approvers at least SIGNED, passkeys at least 48 hours old',
    'Approvers must sign with a passkey, registered at least 2 days before',
  ],
])('the guard detail "%s" is shown as a sentence', (detail, sentence) => {
  expect(guardSentence(detail)).toBe(sentence);
});
