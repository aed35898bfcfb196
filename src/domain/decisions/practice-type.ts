import { normalText } from '@countersign/proof-kit/approver-id';

/** The action type of practice requests. Callers cannot use it, so that no agent passes off an action as practice. */
export const PRACTICE_TYPE = 'practice.request';

/** Also for spellings that people cannot tell apart. */
export const isPractice = (actionType: string): boolean => normalText(actionType) === PRACTICE_TYPE;
