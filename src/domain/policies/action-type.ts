import { actionTypeFault } from '@countersign/proof-kit/action-type';
import type { z } from 'zod';

/** For the schemas of action types, and of the patterns of policies and mandates. */
export const actionTypeRule: z.core.CheckFn<string> = ({ value, issues }) => {
  const message = actionTypeFault(value);
  if (message !== null) issues.push({ code: 'custom', message, input: value });
};
