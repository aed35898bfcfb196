import { checkAccess } from '../../domain/access.ts';
import { findDecisionEvent } from '../../domain/proof/list-events.ts';
import { outlooksOf } from '../../domain/proof/outlook.ts';
import type { DecisionEventView } from '../../domain/proof/row.ts';
import { lastSimilar } from '../../domain/proof/similar.ts';
import { loadTogether } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { Judgement } from '../policies/judgement.ts';
import { DecisionEventStatus, DecisionEventType, EventActorType, EvidenceStatus } from './enums.ts';

/** Who may see decisions: the center's administrators, and systems with a key. */
export const readers = { roles: ['ADMIN'], apiKey: 'proof:read' } as const;

/** The same where keys that may only ask see their own decisions. */
export const ownReaders = { ...readers, requester: true } as const;

export const DecisionActor = builder.objectRef<DecisionEventView['actor']>('DecisionActor').implement({
  description: 'Who or what made a decision.',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Its id in the system that reported it.' }),
    type: t.expose('type', { type: EventActorType, description: 'What kind of actor it is.' }),
    name: t.exposeString('name', { nullable: true, description: 'What the actor is called.' }),
  }),
});

const DecisionAction = builder.objectRef<DecisionEventView['action']>('DecisionAction').implement({
  description: 'What was decided.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'The kind of action, such as `refund.grant`.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'What was decided, in words.',
    }),
    input: t.expose('input', { type: 'JSON', nullable: true, description: 'What it was decided on.' }),
    output: t.expose('output', { type: 'JSON', nullable: true, description: 'What came out of it.' }),
  }),
});

const AiContext = builder.objectRef<NonNullable<DecisionEventView['aiContext']>>('AiContext').implement({
  description: 'What is known of the model behind a decision.',
  fields: (t) => ({
    model: t.exposeString('model', { nullable: true, description: 'The name of the model.' }),
    provider: t.exposeString('provider', { nullable: true, description: 'Who runs the model.' }),
    confidence: t.exposeFloat('confidence', {
      nullable: true,
      description: 'How sure it said it was, 0 to 1.',
    }),
    reasoning: t.exposeString('reasoning', { nullable: true, description: 'The reasons it gave.' }),
  }),
});

const EvidenceState = builder.objectRef<DecisionEventView['evidence']>('EvidenceState').implement({
  description: "How far the proof of an event has come, and its place on the center's proof chain.",
  fields: (t) => ({
    id: t.exposeString('id', { description: 'The id under which the evidence can be read once sealed.' }),
    status: t.expose('status', { type: EvidenceStatus, description: 'Pending until the event is sealed.' }),
    chainHash: t.exposeString('chainHash', {
      nullable: true,
      description: 'The hash of its record on the chain, as hex digits.',
    }),
    chainIndex: t.exposeInt('chainIndex', { nullable: true, description: 'Its place on the chain, from 0.' }),
  }),
});

const outlookOf = loadTogether(outlooksOf);

export const DecisionEvent = builder.objectRef<DecisionEventView>('DecisionEvent');

builder.node(DecisionEvent, {
  id: { resolve: ({ id }) => id, description: 'Its id, unique among everything there is.' },
  description: 'A decision that an agent, a system or a person made.',
  isTypeOf: (value) => (value as { id?: string }).id?.startsWith('evt_') ?? false,
  loadOne: (id, ctx) => {
    checkAccess(ctx.principal, readers);
    return findDecisionEvent(ctx, id);
  },
  fields: (t) => ({
    decisionId: t.exposeString('decisionId', {
      description: "The caller's own id of the decision: its idempotency key, or one that we gave it.",
    }),
    dpuId: t.exposeID('dpuId', {
      description: 'The decision record that proves it; it exists once the event is sealed.',
    }),
    type: t.expose('type', { type: DecisionEventType, description: 'What kind of decision it was.' }),
    status: t.expose('status', { type: DecisionEventStatus, description: 'Where it stands.' }),
    actor: t.expose('actor', { type: DecisionActor, description: 'Who or what decided.' }),
    action: t.expose('action', { type: DecisionAction, description: 'What was decided.' }),
    aiContext: t.expose('aiContext', {
      type: AiContext,
      nullable: true,
      description: 'The model behind it, if there was one.',
    }),
    riskScore: t.exposeFloat('riskScore', {
      nullable: true,
      description: 'How risky the agent called it, 0 to 1.',
    }),
    tags: t.exposeStringList('tags', { description: 'Words to find it by.' }),
    contentHash: t.exposeString('contentHash', {
      description: 'SHA-256 of what the event says: what an approver approves.',
    }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When it was recorded.' }),
    outlook: t.field({
      type: Judgement,
      nullable: true,
      complexity: 5,
      description: 'What the policies in force still ask, while it waits; null once it is settled.',
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
    evidence: t.expose('evidence', { type: EvidenceState, description: 'How far its proof has come.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was recorded.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When its status last changed.' }),
  }),
});
