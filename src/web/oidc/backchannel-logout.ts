import type { Middleware } from 'koa';
import { openRequest } from '../../api/open-request.ts';
import type { App } from '../../app.ts';
import { logOutByProvider } from '../../domain/providers/backchannel-logout.ts';
import { DomainError } from '../../lib/errors.ts';
import { readBody } from '../../rest/body.ts';
import { attachContext, incoming } from '../../rest/incoming.ts';
import { checkOrigin } from '../../rest/origin.ts';

const PATH = '/auth/oidc/backchannel-logout';
const FORM = /^application\/x-www-form-urlencoded *(?:;|$)/i;

/**
 * Takes the logout tokens of providers. It is the only path that accepts a form; a page of another origin still cannot send it.
 * Its answers have the form of OpenID Connect Back-Channel Logout 1.0.
 */
export function backchannelLogout(app: App): Middleware {
  return async (koa, next) => {
    if (koa.path !== PATH || koa.method !== 'POST') return next();
    koa.state['route'] = koa.path;
    koa.set('Cache-Control', 'no-store');
    checkOrigin(app, koa);
    const ctx = await openRequest(app, incoming(koa), { takes: 'none', tier: 'caller', ownQuery: true });
    attachContext(koa, ctx);
    const body = await readBody(koa.req, ctx);
    const tokens = FORM.test(koa.get('Content-Type'))
      ? new URLSearchParams(body.toString('utf8')).getAll('logout_token')
      : [];
    try {
      if (tokens.length !== 1)
        throw new DomainError('VALIDATION_ERROR', 'The form holds no single logout_token.');
      await logOutByProvider(ctx, tokens[0]!);
      koa.status = 200;
      koa.body = '';
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') throw error;
      app.log.info({ requestId: ctx.requestId, reason: error.message }, 'a logout token was refused');
      koa.status = 400;
      koa.body = { error: 'invalid_request' };
    }
    return undefined;
  };
}
