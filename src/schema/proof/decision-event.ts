import type { RequestContext } from '../../api/request-context.ts';
import { checkAccess } from '../../domain/access.ts';
import { outlooksOf } from '../../domain/decisions/approve/outlook.ts';
import type { EventContent } from '../../domain/decisions/content.ts';
import { largeMembersOf, textsOf } from '../../domain/decisions/read/contents.ts';
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

const textsOfOne = makeLoader(textsOf);
const largeMembersOfOne = makeLoader(largeMembersOf);

const DecisionAction = builder.objectRef<DecisionEventView>('DecisionAction').implement({
  description: 'What was decided.',
  fields: (t) => ({
    type: t.string({
      description: 'The kind of action, such as `refund.grant`.',
      resolve: ({ head }) => head.action.type,
    }),
    description: t.string({
      nullable: true,
      description: 'A description of the action.',
      resolve: async (event, _, ctx) => (await textsOfOne(ctx, event))?.action.description,
    }),
    input: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The input.',
      resolve: async (event, _, ctx) => (await largeMembersOfOne(ctx, event))?.['action.input'],
    }),
    output: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The output.',
      resolve: async (event, _, ctx) => (await largeMembersOfOne(ctx, event))?.['action.output'],
    }),
  }),
});

const aiContextOf = async (ctx: RequestContext, event: DecisionEventView) =>
  (await textsOfOne(ctx, event))?.aiContext;

const AiContext = builder.objectRef<DecisionEventView>('AiContext').implement({
  description: 'Information about the model behind a decision.',
  fields: (t) => ({
    model: t.string({
      nullable: true,
      description: 'The name of the model.',
      resolve: async (event, _, ctx) => (await aiContextOf(ctx, event))?.model,
    }),
    provider: t.string({
      nullable: true,
      description: 'The provider of the model.',
      resolve: async (event, _, ctx) => (await aiContextOf(ctx, event))?.provider,
    }),
    confidence: t.float({
      nullable: true,
      description: 'The confidence of the model, 0 to 1.',
      resolve: async (event, _, ctx) => (await aiContextOf(ctx, event))?.confidence,
    }),
    reasoning: t.string({
      nullable: true,
      description: 'The reasoning of the model.',
      resolve: async (event, _, ctx) => (await aiContextOf(ctx, event))?.reasoning,
    }),
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
      resolve: ({ head }) => head.decisionId ?? '',
    }),
    type: t.field({
      type: DecisionEventType,
      description: 'The kind of decision.',
      resolve: ({ head }) => head.type,
    }),
    actor: t.field({
      type: DecisionActor,
      description: 'The actor.',
      resolve: ({ head }) => head.actor,
    }),
    action: t.field({
      type: DecisionAction,
      description: 'What was decided.',
      resolve: (event) => event,
    }),
    aiContext: t.field({
      type: AiContext,
      nullable: true,
      description: 'The model, if any.',
      resolve: (event) => (event.head.aiContext ? event : null),
    }),
    riskScore: t.float({
      nullable: true,
      description: 'The risk according to the agent, 0 to 1.',
      resolve: ({ head }) => head.riskScore,
    }),
    tags: t.stringList({ description: 'Tags for searching.', resolve: ({ head }) => head.tags ?? [] }),
    occurredAt: t.field({
      type: 'DateTime',
      description: 'When it was recorded.',
      resolve: ({ head }) => new Date(head.occurredAt),
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
