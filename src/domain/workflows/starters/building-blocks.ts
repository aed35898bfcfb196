import type { WorkflowDefinitionInput } from '../definition/workflow.ts';

/** The patterns shared by the starter workflows of all verticals. */

interface Starter {
  name: string;
  description: string;
  /** The type of the decision that it records. */
  actionType: string;
}

/** Reads the center's figures on a schedule and records them as a decision, so that the week can be proven later. */
export function timedOverview(input: Starter & { cron: string; text: string }): WorkflowDefinitionInput {
  const { text, actionType, ...trigger } = input;
  return {
    type: 'SCHEDULED',
    ...trigger,
    steps: [
      { name: 'overview', kind: 'template', text },
      {
        name: 'keep',
        kind: 'record_decision',
        action: {
          type: actionType,
          description: '{{ steps.overview.text }}',
          input: { facts: '{{ facts }}' },
        },
        tags: ['overview'],
      },
    ],
  };
}

/** A parameter that names something in a few words. */
export const shortText = (title: string, byDefault: string) =>
  ({ type: 'string', minLength: 1, maxLength: 200, default: byDefault, title }) as const;

interface Reviewed extends Starter {
  parameters: NonNullable<WorkflowDefinitionInput['parametersSchema']>['properties'];
  question: string;
  roles: ('ADMIN' | 'INSTRUCTOR')[];
}

/** Asks a person to review a proposal, and records the decision only if they agree. */
export function reviewedDecision(input: Reviewed): WorkflowDefinitionInput {
  const { parameters, question, roles, actionType, ...labels } = input;
  return {
    type: 'MANUAL',
    ...labels,
    parametersSchema: { type: 'object', properties: parameters },
    steps: [
      { name: 'proposal', kind: 'template', text: question },
      { name: 'review', kind: 'human_review', prompt: '{{ steps.proposal.text }}', roles },
      {
        name: 'decision',
        kind: 'record_decision',
        action: {
          type: actionType,
          description: '{{ steps.proposal.text }}',
          input: { parameters: '{{ parameters }}' },
          output: { approved: '{{ steps.review.approved }}', reason: '{{ steps.review.reason }}' },
        },
        tags: ['reviewed'],
      },
    ],
  };
}

/** Responds to an event with a note that is recorded. */
export function noteOnEvent(
  input: Starter & { eventPattern: string; text: string },
): WorkflowDefinitionInput {
  const { text, actionType, ...trigger } = input;
  return {
    type: 'EVENT',
    ...trigger,
    steps: [
      // If started manually, there is nothing to note.
      { name: 'happened', kind: 'condition', if: 'event.id != ""' },
      { name: 'note', kind: 'template', text },
      {
        name: 'keep',
        kind: 'record_decision',
        action: {
          type: actionType,
          description: '{{ steps.note.text }}',
          input: { eventId: '{{ event.id }}', eventType: '{{ event.type }}' },
        },
        tags: ['event'],
      },
    ],
  };
}
