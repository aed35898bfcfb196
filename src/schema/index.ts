import type { GraphQLSchema } from 'graphql';
import './scalars.ts';
import './enums.ts';
import './api-keys/api-keys.ts';
import './centers/queries.ts';
import './centers/search.ts';
import './centers/slots.ts';
import './checkpoints/checkpoints.ts';
import './checkpoints/proofs.ts';
import './events/events.ts';
import './identity/me.ts';
import './proof/read-events.ts';
import './proof/record-event.ts';
import './provisioning/provisioning.ts';
import './subscriptions/plan.ts';
import './subscriptions/subscription.ts';
import './identity/sessions.ts';
import './identity/sign-in.ts';
import './identity/sso.ts';
import './memberships/members.ts';
import './memberships/moves.ts';
import { builder } from './builder.ts';

/** The whole GraphQL API. Each import above brings one noun; nothing else happens here. */
export const schema: GraphQLSchema = builder.toSchema();
