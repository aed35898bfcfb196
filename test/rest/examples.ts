import { makeActor, makeMembership, makeToken } from '../helpers/world.ts';
import { bookingExamples } from './examples-bookings.ts';
import { businessExamples } from './examples-business.ts';
import { dpuExamples } from './examples-dpu.ts';
import { proofExamples } from './examples-proof.ts';
import { webhookExamples } from './examples-webhooks.ts';
import { workflowExamples } from './examples-workflows.ts';
import type { Examples, RouteStage } from './stage.ts';

/** A person who can sign in to the stage's center. */
async function makeAccount({ running, center }: RouteStage) {
  const password = 'correct horse battery';
  const { id, email } = await makeActor(running.app, { password });
  await makeMembership(running.app, id, center.id);
  return { email, password };
}

/** One successful call for every row of the table, by operation id. A row without one fails the shared tests. */
export const examples: Examples = {
  ...businessExamples,
  ...dpuExamples,
  ...proofExamples,
  ...webhookExamples,
  ...workflowExamples,
  ...bookingExamples,
  listApiKeys: () => ({ caller: 'admin', query: { limit: '500' } }),
  createApiKey: () => ({
    caller: 'admin',
    body: { name: 'robot', scopes: ['proof:read'], expiresAt: '2031-01-01T00:00:00.000Z', ratePerMinute: 60 },
  }),
  revokeApiKey: async ({ running, tokens }) => {
    const body = { name: 'short-lived', scopes: ['proof:read'] };
    const made = await running.call('POST', '/api-keys', { token: tokens.admin, body });
    return { caller: 'admin', params: { keyId: made.body.data.id } };
  },
  logout: async ({ running, center, admin, tokens }) => {
    tokens.visitor = await makeToken(running.app, admin.actor.id, center.id);
    return { caller: 'visitor' };
  },
  createSsoToken: () => ({ caller: 'admin', body: { targetApp: 'lms' } }),
  getMe: () => ({ caller: 'admin' }),
  login: async (stage) => ({ caller: 'nobody', body: await makeAccount(stage) }),
  refreshToken: async (stage) => {
    const { body } = await stage.running.call('POST', '/auth/login', { body: await makeAccount(stage) });
    return { caller: 'nobody', body: { refreshToken: body.data.refreshToken } };
  },
  switchCenter: ({ center }) => ({ caller: 'admin', body: { centerId: center.id } }),
  verifySsoToken: async ({ running, tokens }) => {
    const { body } = await running.call('POST', '/auth/sso/token', {
      token: tokens.admin,
      body: { targetApp: 'cms' },
    });
    return { caller: 'nobody', body: { token: body.data.token } };
  },
  listCenters: () => ({ caller: 'admin' }),
  getCenter: ({ center }) => ({ caller: 'admin', params: { center: center.id } }),
  getCenterInfo: ({ center }) => ({ caller: 'nobody', params: { domain: center.centerDomain } }),
  listInstructors: ({ center }) => ({ caller: 'admin', params: { domain: center.centerDomain } }),
  listAvailableSlots: ({ center }) => ({ caller: 'admin', params: { domain: center.centerDomain } }),
  searchCenters: () => ({
    caller: 'nobody',
    body: { query: 'center', vertical: 'rehabilitation', page: 1, limit: 5 },
  }),
};
