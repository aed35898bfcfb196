import type { Prisma } from '../../db/database.ts';
import type { Context } from '../context.ts';

/** A review that an execution waits for. */
export interface Question {
  step: string;
  prompt: string;
  roles: string[];
  askedAt: Date;
  forMe: boolean;
}

/** The caller's role in the current center, or null. */
export function reviewerRole({ principal }: Pick<Context, 'principal'>): string | null {
  return principal.kind === 'actor' && principal.center.open ? principal.center.role : null;
}

/** The executions with a review that the caller's role can decide. */
export function questionsFor(ctx: Pick<Context, 'principal'>): Prisma.WorkflowExecutionWhereInput {
  return {
    status: 'AWAITING_REVIEW',
    steps: {
      some: {
        status: 'WAITING',
        kind: 'human_review',
        input: { path: ['roles'], array_contains: [reviewerRole(ctx) ?? ''] },
      },
    },
  };
}

export function questionOf(
  { name, input, startedAt }: { name: string; input: unknown; startedAt: Date },
  ctx: Pick<Context, 'principal'>,
): Question {
  const { prompt, roles } = input as { prompt: string; roles: string[] };
  const role = reviewerRole(ctx);
  return { step: name, prompt, roles, askedAt: startedAt, forMe: role !== null && roles.includes(role) };
}
