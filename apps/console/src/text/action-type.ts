import { actionTypeFault } from '@countersign/proof-kit/action-type';

/** Validates an action type, or a pattern of them. The same rule as that of the service. */
export function actionTypeProblem(value: string): string | null {
  const fault = actionTypeFault(value.trim());
  return fault && `The text ${fault}.`;
}
