import { makeSubscription } from '../helpers/world.ts';
import type { Examples } from './stage.ts';

let counter = 0;

/** Calls that succeed: provisioning, plans, subscription, partners. */
export const businessExamples: Examples = {
  changePartnerSettings: () => ({ caller: 'partner', body: { branding: { color: '#123456' } } }),
  checkSubdomain: () => ({ caller: 'admin', body: { subdomain: 'still-free' } }),
  createPartnerCenter: () => ({
    caller: 'partner',
    body: {
      name: 'North Pier',
      tenantType: 'CENTER',
      vertical: 'education',
      adminEmail: 'head@example.test',
    },
  }),
  getPartnerCenter: ({ center }) => ({ caller: 'partner', params: { centerId: center.id } }),
  getPartnerDashboard: () => ({ caller: 'partner' }),
  getPartnerSettings: () => ({ caller: 'partner' }),
  getSubscription: async ({ running, center }) => {
    await makeSubscription(running.app, center.id);
    return { caller: 'admin' };
  },
  listCenterPlans: () => ({ caller: 'nobody' }),
  listLmsPlans: () => ({ caller: 'nobody' }),
  listPartnerAudit: () => ({ caller: 'partner', query: { startDate: '2020-01-01', limit: '5' } }),
  listPartnerCenters: () => ({ caller: 'partner', query: { search: 'center', limit: '5' } }),
  listPartnerMembers: () => ({ caller: 'partner', query: { page: '1' } }),
  onboardPartner: () => ({
    caller: 'root',
    body: {
      partnerName: 'Lighthouse Group',
      centerName: 'Lighthouse One',
      subdomain: `lighthouse-${++counter}`,
      vertical: 'welfare',
      planId: 'center-growth',
      adminEmail: `lead-${counter}@example.test`,
      adminName: 'Lee Lead',
    },
  }),
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
  updatePartnerCenter: ({ center }) => ({
    caller: 'partner',
    params: { centerId: center.id },
    body: { name: 'A better name', status: 'ACTIVE' },
  }),
  getWhiteLabelConfig: ({ center }) => ({ caller: 'nobody', params: { domain: center.centerDomain } }),
};
