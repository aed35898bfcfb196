import { CannotCheck } from '@countersign/proof-kit/disclose';
import type { Trust } from '@countersign/proof-kit/trust';
import { type ConditionScope, ExpressionError } from '../../domain/expressions/expression.ts';
import { makeSandbox, type Sandbox } from '../../domain/expressions/sandbox/sandbox.ts';
import { makeLog } from '../../lib/log.ts';

const NO_CENTER = 0;

export interface Conditions {
  evaluate: NonNullable<Trust['evaluateCondition']>;
  close(): Promise<void>;
}

/** Evaluates the conditions of mandates like the service does. Documents are untrusted, so this runs in the sandbox. */
export function openConditions(): Conditions {
  let sandbox: Sandbox | undefined;
  return {
    async evaluate(source, scope) {
      sandbox ??= makeSandbox(makeLog('silent', process.stderr));
      const pieces = { holds: { kind: 'condition', source } } as const;
      try {
        return (await sandbox.render(NO_CENTER, pieces, async () => scope as ConditionScope)).holds === true;
      } catch (error) {
        if (error instanceof ExpressionError) return false;
        throw new CannotCheck('the condition');
      }
    },
    close: async () => sandbox?.close(),
  };
}
