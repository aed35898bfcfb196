import { canonicalJson } from '@countersign/proof-kit/canonical';
import type { WorkflowExecution, WorkflowStepRun } from '../../../db/generated/prisma/client.ts';
import { sha256Hex } from '../../../lib/crypto.ts';

/** Longer values appear in the summary as a hash. The step itself keeps them in full. */
const MOST_BYTES = 8 * 1024;

interface SummaryInput {
  execution: Pick<WorkflowExecution, 'id' | 'workflowId' | 'version' | 'startedBy' | 'startedAt' | 'status'> &
    Pick<WorkflowExecution, 'error' | 'parameters'> & { workflowName: string; completedAt: Date };
  steps: Omit<WorkflowStepRun, 'executionId' | 'position' | 'resumeAt'>[];
}

/** The content of an execution's decision record: what ran, with which inputs and outputs, as canonical JSON. */
export function summarise({ execution, steps }: SummaryInput): string {
  const { startedAt, completedAt, error, parameters, ...rest } = execution;
  return canonicalJson({
    execution: {
      ...rest,
      parameters: brief(parameters),
      ...(error !== null && { error }),
      startedAt: startedAt.toISOString(),
      completedAt: completedAt.toISOString(),
    },
    steps: steps.map(({ name, kind, status, attempts, input, output, error: fault, ...times }) => ({
      name,
      kind,
      status,
      attempts,
      ...(input !== null && { input: brief(input) }),
      ...(output !== null && { output: brief(output) }),
      ...(fault !== null && { error: fault }),
      startedAt: times.startedAt.toISOString(),
      ...(times.finishedAt && { finishedAt: times.finishedAt.toISOString() }),
    })),
  });
}

function brief(value: unknown): unknown {
  const text = canonicalJson(value);
  const bytes = Buffer.byteLength(text);
  return bytes <= MOST_BYTES ? value : { sha256: sha256Hex(text), bytes };
}
