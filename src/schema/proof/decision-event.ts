import type { RequestContext } from '../../api/request-context.ts';
import { checkAccess } from '../../domain/access.ts';
import { outlooksOf } from '../../domain/decisions/approve/outlook.ts';
import type { EventContent } from '../../domain/decisions/content.ts';
import {
  type LargeMembers,
  largeMembersOf,
  type Texts,
  textsOf,
} from '../../domain/decisions/read/contents.ts';
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
  description: 'Who or what decided.',
  fields: (t) => ({
    id: t.string({
      description: 'The id of the actor in the reporting system; empty once it is erased.',
      resolve: ({ id }) => id ?? '',
    }),
    type: t.expose('type', { type: EventActorType, description: 'What kind of actor decided.' }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'The name of the actor; null if none was given or it was erased.',
    }),
  }),
});

const textsOfOne = makeLoader(textsOf);
const largeMembersOfOne = makeLoader(largeMembersOf);

// What this request itself recorded is at hand. A loader would cost it another turn of the event loop.

const textOf = <T>(ctx: RequestContext, event: DecisionEventView, pick: (texts: Texts) => T) =>
  event.content
    ? pick(event.content)
    : textsOfOne(ctx, event).then((texts) => (texts === undefined ? undefined : pick(texts)));

/** Null once the request will read too much: it fails as a whole, and the rest of its fields need no preparation. */
export function largeOf(ctx: RequestContext, event: DecisionEventView, path: keyof LargeMembers) {
  if (event.content) return event.content.action[path === 'action.input' ? 'input' : 'output'];
  const refusal = ctx.content?.expect(event.id, event.largeBytes ?? 0);
  if (!refusal) return largeMembersOfOne(ctx, event).then((members) => members?.[path]);
  if (!ctx.failWhole) throw refusal;
  void ctx.failWhole(refusal);
  return null;
}

export const DecisionAction = builder.objectRef<DecisionEventView>('DecisionAction').implement({
  description: 'The action that was decided, with its input and output.',
  fields: (t) => ({
    type: t.string({
      description: 'The action type, such as `refund.grant`.',
      resolve: ({ head }) => head.action.type,
    }),
    description: t.string({
      nullable: true,
      description: 'One sentence for the person who has to approve; null if none was given or it was erased.',
      resolve: (event, _, ctx) => textOf(ctx, event, ({ action }) => action.description),
    }),
    input: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What the action works with, an object; null if none was given or it was erased.',
      resolve: (event, _, ctx) => largeOf(ctx, event, 'action.input'),
    }),
    output: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What the action gave, an object; null if none was given or it was erased.',
      resolve: (event, _, ctx) => largeOf(ctx, event, 'action.output'),
    }),
  }),
});

const AiContext = builder.objectRef<DecisionEventView>('AiContext').implement({
  description:
    'The model behind a decision, and its own assessment. Members are null if they were not given or were erased.',
  fields: (t) => ({
    model: t.string({
      nullable: true,
      description: 'The name of the model, such as `example-1`.',
      resolve: (event, _, ctx) => textOf(ctx, event, ({ aiContext }) => aiContext?.model),
    }),
    provider: t.string({
      nullable: true,
      description: 'The company or service that runs the model.',
      resolve: (event, _, ctx) => textOf(ctx, event, ({ aiContext }) => aiContext?.provider),
    }),
    confidence: t.float({
      nullable: true,
      description: 'How sure the model is, from 0 to 1.',
      resolve: (event, _, ctx) => textOf(ctx, event, ({ aiContext }) => aiContext?.confidence),
    }),
    reasoning: t.string({
      nullable: true,
      description: 'Why the model decided so.',
      resolve: (event, _, ctx) => textOf(ctx, event, ({ aiContext }) => aiContext?.reasoning),
    }),
  }),
});

const EvidenceState = builder.objectRef<DecisionEventView['evidence']>('EvidenceState').implement({
  description: 'The evidence of an event and its position on the proof chain.',
  fields: onlyProperties({
    id: ['String', 'The id of the evidence, `evd_…`; the evidence can be read once the event is sealed.'],
    status: [EvidenceStatus, 'Whether the event is sealed; pending until then.'],
    chainHash: ['String?', 'The hash of its record on the chain in hex; null until the event is sealed.'],
    chainIndex: ['Int?', 'The index of its record on the chain, from 0; null until the event is sealed.'],
  }),
});

export const outlookOf = makeLoader(outlooksOf);

export const DecisionEvent = builder.objectRef<DecisionEventView>('DecisionEvent');

builder.node(DecisionEvent, {
  id: { resolve: ({ id }) => id, description: 'The id of the decision event, `evt_…`.' },
  description: 'A decision that an agent, a system or a person made.',
  isTypeOf: (value) => (value as { id?: string }).id?.startsWith('evt_') ?? false,
  loadOne: (id, ctx) => {
    checkAccess(ctx.principal, readers);
    return findDecisionEvent(ctx, id);
  },
  fields: (t) => ({
    ...properties(t, {
      dpuId: ['ID', 'The id of the decision record, `dpu_…`, which exists once the event is sealed.'],
      status: [DecisionEventStatus, 'Whether it waits, is sealed or was rejected.'],
      contentHash: ['String', "SHA-256 of the event's content: what an approver approves."],
      evidence: [EvidenceState, 'Whether it is sealed, and where on the proof chain.'],
      createdAt: ['DateTime', 'When the event was recorded, in UTC.'],
      updatedAt: ['DateTime', 'When its status last changed, in UTC.'],
    }),
    decisionId: t.string({
      description: "The caller's id of the decision: its idempotency key, or a generated one.",
      resolve: ({ head }) => head.decisionId ?? '',
    }),
    type: t.field({
      type: DecisionEventType,
      description: 'What kind of decision it is.',
      resolve: ({ head }) => head.type,
    }),
    actor: t.field({
      type: DecisionActor,
      description: 'Who or what decided.',
      resolve: ({ head }) => head.actor,
    }),
    action: t.field({
      type: DecisionAction,
      description: 'The action that was decided, with its input and output.',
      resolve: (event) => event,
    }),
    aiContext: t.field({
      type: AiContext,
      nullable: true,
      description: 'The model behind the decision and its own assessment; null if there was none.',
      resolve: (event) => (event.head.aiContext ? event : null),
    }),
    riskScore: t.float({
      nullable: true,
      description: 'The risk according to the agent, 0 to 1; null if none was given or it was erased.',
      resolve: ({ head }) => head.riskScore,
    }),
    tags: t.stringList({
      description: 'Tags to search by; empty once they are erased.',
      resolve: ({ head }) => head.tags ?? [],
    }),
    occurredAt: t.field({
      type: 'DateTime',
      description: 'When the decision was made: the time at which it was recorded, in UTC.',
      resolve: ({ head }) => new Date(head.occurredAt),
    }),
    outlook: t.field({
      type: Judgement,
      nullable: true,
      complexity: 5,
      description: 'What the current policies still require while it is pending; null once it is final.',
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
