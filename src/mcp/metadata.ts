import type { Middleware } from 'koa';
import type { App } from '../api/request-context.ts';
import { DomainError } from '../lib/errors.ts';

export const MCP_PATH = '/mcp';
const METADATA_PATH = '/.well-known/oauth-protected-resource';
const SCOPES = ['proof:read', 'proof:write', 'proof:request'];

/** Tells a rejected client how to authenticate (RFC 9728). */
export function challenge({ config }: App, hadCredential: boolean): string {
  return [
    `Bearer resource_metadata="${config.publicUrl}${METADATA_PATH}${MCP_PATH}"`,
    `scope="${SCOPES.join(' ')}"`,
    ...(hadCredential ? ['error="invalid_token"'] : []),
  ].join(', ');
}

export function protectedResource(app: App): Middleware {
  const body = JSON.stringify({
    resource: `${app.config.publicUrl}${MCP_PATH}`,
    resource_name: 'Countersign',
    resource_documentation: `${app.config.publicUrl}/docs/agents`,
    bearer_methods_supported: ['header'],
    scopes_supported: SCOPES,
  });
  return async (koa, next) => {
    if (koa.path !== METADATA_PATH && koa.path !== METADATA_PATH + MCP_PATH) return next();
    koa.state['route'] = METADATA_PATH;
    koa.set('Access-Control-Allow-Origin', '*');
    if (koa.method !== 'GET' && koa.method !== 'HEAD') {
      koa.set('Allow', 'GET, HEAD');
      throw new DomainError(
        'METHOD_NOT_ALLOWED',
        `${koa.path} does not support ${koa.method}; the Allow header lists the methods that it does.`,
      );
    }
    koa.set('Cache-Control', 'public, max-age=3600');
    koa.type = 'application/json';
    koa.body = body;
    return undefined;
  };
}
