import { checkAccess } from '../../domain/access.ts';
import { outlooksOf } from '../../domain/decisions/approve/outlook.ts';
import type { EventContent } from '../../domain/decisions/content.ts';
import { findDecisionEvent } from '../../domain/decisions/read/list-events.ts';
import { lastSimilar } from '../../domain/decisions/read/similar.ts';
import type { DecisionEventView } from '../../domain/decisions/row.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { DecisionEventStatus, DecisionEventType, EventActorType, EvidenceStatus } from '../decision-enums.ts';
import { onlyProperties, properties } from '../exposed.ts';
import { Judgement } from '../policies/judgement.ts';

/** Who may see decisions: the center's administrators, and systems with a key. */
export const readers = { roles: ['ADMIN'], apiKey: 'proof:read' } as const;

/** The same, plus keys that may only request and see their own decisions. */
export const ownReaders = { ...readers, requester: true } as const;

export const DecisionActor = builder.objectRef<EventContent['actor']>('DecisionActor').implement({
  description: 'The actor of a decision.',
  fields: (t) => ({
    id: t.string({ description: 'The id in the reporting system.', resolve: ({ id }) => id ?? '' }),
    type: t.expose('type', { type: EventActorType, description: 'The kind of actor.' }),
    name: t.exposeString('name', { nullable: true, description: 'The name of the actor.' }),
  }),
});

const DecisionAction = builder.objectRef<EventContent['action']>('DecisionAction').implement({
  description: 'What was decided.',
  fields: onlyProperties({
    type: ['String', 'The kind of action, such as `refund.grant`.'],
    description: ['String?', 'A description of the action.'],
    input: ['JSON?', 'The input.'],
    output: ['JSON?', 'The output.'],
  }),
});

const AiContext = builder.objectRef<NonNullable<EventContent['aiContext']>>('AiContext').implement({
  description: 'Information about the model behind a decision.',
  fields: onlyProperties({
    model: ['String?', 'The name of the model.'],
    provider: ['String?', 'The provider of the model.'],
    confidence: ['Float?', 'The confidence of the model, 0 to 1.'],
    reasoning: ['String?', 'The reasoning of the model.'],
  }),
});

const EvidenceState = builder.objectRef<DecisionEventView['evidence']>('EvidenceState').implement({
  description: 'The evidence of an event and its position on the proof chain.',
  fields: onlyProperties({
    id: ['String', 'The id of the evidence, readable once sealed.'],
    status: [EvidenceStatus, 'Pending until the event is sealed.'],
    chainHash: ['String?', 'The hash of its record on the chain, in hex.'],
    chainIndex: ['Int?', 'The index on the chain, from 0.'],
  }),
});

const outlookOf = makeLoader(outlooksOf);

export const DecisionEvent = builder.objectRef<DecisionEventView>('DecisionEvent');

builder.node(DecisionEvent, {
  id: { resolve: ({ id }) => id, description: 'Globally unique id.' },
  description: 'A decision that an agent, a system or a person made.',
  isTypeOf: (value) => (value as { id?: string }).id?.startsWith('evt_') ?? false,
  loadOne: (id, ctx) => {
    checkAccess(ctx.principal, readers);
    return findDecisionEvent(ctx, id);
  },
  fields: (t) => ({
    ...properties(t, {
      dpuId: ['ID', 'The decision record. It exists once the event is sealed.'],
      status: [DecisionEventStatus, 'The status.'],
      contentHash: ['String', "SHA-256 of the event's content: what an approver approves."],
      evidence: [EvidenceState, 'The status of its evidence.'],
      createdAt: ['DateTime', 'When it was recorded.'],
      updatedAt: ['DateTime', 'When its status last changed.'],
    }),
    decisionId: t.string({
      description: "The caller's id of the decision: its idempotency key, or a generated one.",
      resolve: ({ content }) => content.decisionId ?? '',
    }),
    type: t.field({
      type: DecisionEventType,
      description: 'The kind of decision.',
      resolve: ({ content }) => content.type,
    }),
    actor: t.field({
      type: DecisionActor,
      description: 'The actor.',
      resolve: ({ content }) => content.actor,
    }),
    action: t.field({
      type: DecisionAction,
      description: 'What was decided.',
      resolve: ({ content }) => content.action,
    }),
    aiContext: t.field({
      type: AiContext,
      nullable: true,
      description: 'The model, if any.',
      resolve: ({ content }) => content.aiContext,
    }),
    riskScore: t.float({
      nullable: true,
      description: 'The risk according to the agent, 0 to 1.',
      resolve: ({ content }) => content.riskScore,
    }),
    tags: t.stringList({ description: 'Tags for searching.', resolve: ({ content }) => content.tags ?? [] }),
    occurredAt: t.field({
      type: 'DateTime',
      description: 'When it was recorded.',
      resolve: ({ content }) => new Date(content.occurredAt),
    }),
    outlook: t.field({
      type: Judgement,
      nullable: true,
      complexity: 5,
      description: 'The open requirements of the current policies while it is pending, or null.',
      resolve: async (event, _, ctx) => (await outlookOf(ctx, event)) ?? null,
    }),
    lastSimilar: t.field({
      type: DecisionEvent,
      nullable: true,
      complexity: 5,
      description:
        'The last sealed decision of the same actor with the same type of action, among the 1,000 before it. Null for callers who are no ADMIN.',
      resolve: (event, _, ctx) => lastSimilar(ctx, event),
    }),
  }),
});
