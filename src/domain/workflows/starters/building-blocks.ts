import type { WorkflowDefinitionInput } from '../definition/workflow.ts';

/** The patterns shared by the starter workflows of all verticals. */

/** Reads the center's figures on a schedule and records them as a decision, so that the week can be proven later. */
export function timedOverview(input: {
  name: string;
  description: string;
  cron: string;
  text: string;
  actionType: string;
}): WorkflowDefinitionInput {
  return {
    type: 'SCHEDULED',
    name: input.name,
    description: input.description,
    cron: input.cron,
    steps: [
      { name: 'overview', kind: 'template', text: input.text },
      {
        name: 'keep',
        kind: 'record_decision',
        action: {
          type: input.actionType,
          description: '{{ steps.overview.text }}',
          input: { facts: '{{ facts }}' },
        },
        tags: ['overview'],
      },
    ],
  };
}

type Parameters = NonNullable<WorkflowDefinitionInput['parametersSchema']>;

/** Asks a person to review a proposal, and records the decision only if they agree. */
export function reviewedDecision(input: {
  name: string;
  description: string;
  parameters: Parameters['properties'];
  question: string;
  roles: ('ADMIN' | 'INSTRUCTOR')[];
  actionType: string;
}): WorkflowDefinitionInput {
  return {
    type: 'MANUAL',
    name: input.name,
    description: input.description,
    parametersSchema: { type: 'object', properties: input.parameters },
    steps: [
      { name: 'proposal', kind: 'template', text: input.question },
      { name: 'review', kind: 'human_review', prompt: '{{ steps.proposal.text }}', roles: input.roles },
      {
        name: 'decision',
        kind: 'record_decision',
        action: {
          type: input.actionType,
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
export function noteOnEvent(input: {
  name: string;
  description: string;
  eventPattern: string;
  text: string;
  actionType: string;
}): WorkflowDefinitionInput {
  return {
    type: 'EVENT',
    name: input.name,
    description: input.description,
    eventPattern: input.eventPattern,
    steps: [
      // If started manually, there is nothing to note.
      { name: 'happened', kind: 'condition', if: 'event.id != ""' },
      { name: 'note', kind: 'template', text: input.text },
      {
        name: 'keep',
        kind: 'record_decision',
        action: {
          type: input.actionType,
          description: '{{ steps.note.text }}',
          input: { eventId: '{{ event.id }}', eventType: '{{ event.type }}' },
        },
        tags: ['event'],
      },
    ],
  };
}
