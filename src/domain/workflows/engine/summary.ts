import { canonicalJson } from '@countersign/proof-kit/canonical';
import type { ExecutionStatus, StepStatus } from '../../../db/generated/prisma/enums.ts';
import { sha256Hex } from '../../../lib/crypto.ts';

/** Longer values appear in the summary as a hash. The step itself keeps them in full. */
const MOST_BYTES = 8 * 1024;

interface SummaryInput {
  execution: {
    id: string;
    workflowId: string;
    workflowName: string;
    version: number;
    startedBy: string;
    startedAt: Date;
    completedAt: Date;
    status: ExecutionStatus;
    error: string | null;
    parameters: unknown;
  };
  steps: {
    name: string;
    kind: string;
    status: StepStatus;
    attempts: number;
    input: unknown;
    output: unknown;
    error: string | null;
    startedAt: Date;
    finishedAt: Date | null;
  }[];
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
