// Names for the people and API keys that a decision mentions by id.
import { isMandateGrant } from '@countersign/proof-kit/guards';
import { contentOf } from '../../domain/decisions/read/approvals.ts';
import { partyNamesOf, reportersOf } from '../../domain/decisions/read/party-names.ts';
import type { Author } from '../../domain/principal.ts';
import { isObject } from '../../lib/json.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { ApprovedByKind } from '../decision-enums.ts';
import { Approval } from './approvals.ts';
import { DecisionAction, DecisionEvent, largeOf } from './decision-event.ts';
import { Outcome } from './outcomes.ts';

const nameOf = makeLoader(partyNamesOf);
const reporterOf = makeLoader(reportersOf);

const NAME = 'The present name of the key or person; null if it is unknown in the center or was erased.';

const DecisionParty = builder.objectRef<Author>('DecisionParty').implement({
  description: 'The account that did something with a decision: an API key, a person or the service.',
  fields: (t) => ({
    kind: t.field({
      type: ApprovedByKind,
      description: 'How the account was authenticated.',
      resolve: ({ kind }) => kind,
    }),
    id: t.string({
      nullable: true,
      description: 'The id of the API key or of the person; null for the service, or after erasure.',
      resolve: ({ id }) => id ?? null,
    }),
    name: t.string({
      nullable: true,
      description: NAME,
      resolve: async ({ id }, _, ctx) => (id === undefined ? null : ((await nameOf(ctx, id)) ?? null)),
    }),
  }),
});

builder.objectField(DecisionEvent, 'requestedBy', (t) =>
  t.field({
    type: DecisionParty,
    nullable: true,
    description: 'Who recorded the decision; null for decisions of earlier versions.',
    resolve: ({ requester }) => requester,
  }),
);

builder.objectField(Outcome, 'by', (t) =>
  t.field({
    type: DecisionParty,
    nullable: true,
    description: 'Who reported the outcome; null for outcomes of earlier versions.',
    resolve: async ({ eventId }, _, ctx) => (await reporterOf(ctx, eventId)) ?? null,
  }),
);

builder.objectFields(Approval, (t) => ({
  assertedBy: t.string({
    nullable: true,
    description:
      'The present name of the API key that asserted the approval; null if the approver was signed in or signed.',
    resolve: async (row, _, ctx) => {
      const { kind, id } = contentOf(row).by;
      return kind === 'api_key' && id !== undefined ? ((await nameOf(ctx, id)) ?? null) : null;
    },
  }),
  onBehalfOfName: t.string({
    nullable: true,
    description: 'The present name of the person for whom a delegate approved; null without a delegation.',
    resolve: async (row, _, ctx) => {
      const { onBehalfOf } = contentOf(row);
      return onBehalfOf ? ((await nameOf(ctx, onBehalfOf)) ?? null) : null;
    },
  }),
}));

const NamedKey = builder.objectRef<string>('NamedKey').implement({
  description: 'An API key by its name.',
  fields: (t) => ({
    id: t.id({ description: 'The id of the API key, `key_…`.', resolve: (id) => id }),
    name: t.string({
      nullable: true,
      description: 'The present name of the key; null if it is no key of the center.',
      resolve: async (id, _, ctx) => (await nameOf(ctx, id)) ?? null,
    }),
  }),
});

/** As many as the terms of a mandate can have. */
const MAX_KEYS = 10;

builder.objectField(DecisionAction, 'mandateKeys', (t) =>
  t.field({
    type: [NamedKey],
    description:
      'The API keys that the terms of a requested mandate name, at most 10. Empty for all other actions.',
    resolve: async (event, _, ctx) => {
      if (!isMandateGrant(event.head.type, event.head.action.type)) return [];
      const terms: unknown = await largeOf(ctx, event, 'action.input');
      const keys = isObject(terms) ? terms['keys'] : [];
      return Array.isArray(keys) ? keys.filter((id) => typeof id === 'string').slice(0, MAX_KEYS) : [];
    },
  }),
);
