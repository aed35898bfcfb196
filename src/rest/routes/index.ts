import type { Route } from '../route.ts';
import { agentRoutes } from './agents.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { authRoutes } from './auth.ts';
import { bookingRoutes } from './bookings.ts';
import { centerRoutes } from './centers.ts';
import { decisionEventRoutes } from './decision-events.ts';
import { dpuRoutes } from './dpu.ts';
import { evidenceRoutes } from './evidence.ts';
import { mandateRoutes } from './mandates.ts';
import { partnerRoutes } from './partner.ts';
import { provisioningRoutes } from './provisioning.ts';
import { webhookRoutes } from './webhooks.ts';
import { whiteLabelRoutes } from './whitelabel.ts';
import { workflowRoutes } from './workflows.ts';

const tables: readonly (readonly Route[])[] = [
  // One per line, in the order of the description.
  authRoutes,
  centerRoutes,
  bookingRoutes,
  apiKeyRoutes,
  decisionEventRoutes,
  dpuRoutes,
  partnerRoutes,
  provisioningRoutes,
  webhookRoutes,
  agentRoutes,
  mandateRoutes,
  evidenceRoutes,
  whiteLabelRoutes,
  workflowRoutes,
];

/** Every documented endpoint. A new resource has its own file of rows and is added here. */
export const routes: readonly Route[] = tables.flat();
