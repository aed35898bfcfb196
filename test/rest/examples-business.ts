import { makeSubscription } from '../helpers/world.ts';
import type { Examples } from './examples.ts';

let counter = 0;

/** Calls that succeed: provisioning, plans, subscription, partners. */
export const businessExamples: Examples = {
  checkSubdomain: () => ({ caller: 'admin', body: { subdomain: 'still-free' } }),
  getSubscription: async ({ running, center }) => {
    await makeSubscription(running.app, center.id);
    return { caller: 'admin' };
  },
  listCenterPlans: () => ({ caller: 'nobody' }),
  listLmsPlans: () => ({ caller: 'nobody' }),
  provisionCenter: ({ admin }) => ({
    caller: 'admin',
    body: {
      centerName: 'Harbour Clinic',
      subdomain: `harbour-${++counter}`,
      planId: 'center-starter',
      orderId: `order-${counter}`,
      adminActorId: admin.actor.id,
      businessNumber: '123-45-67890',
      vertical: 'rehabilitation',
    },
  }),
};
