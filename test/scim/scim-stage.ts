import { systemContext } from '../../src/domain/context.ts';
import { SCIM_TOKEN } from '../../src/domain/scim/tokens.ts';
import { newId } from '../../src/lib/ids.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';
import { makeActor, makeStage } from '../helpers/world.ts';

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export interface ScimReply {
  status: number;
  headers: Headers;
  body: Parsed;
}

export interface ScimOptions {
  headers?: Record<string, string>;
  token?: string | null;
}

/** A directory that calls one center. */
export type Directory = (
  method: string,
  path: string,
  body?: unknown,
  options?: ScimOptions,
) => Promise<ScimReply>;

export function makeDirectory(url: string, token: string): Directory {
  return async (method, path, body, options = {}) => {
    const sent = options.token === undefined ? token : options.token;
    const response = await fetch(`${url}/scim/v2${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/scim+json' }),
        ...(sent !== null && { authorization: `Bearer ${sent}` }),
        ...options.headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  };
}

/** A token, without an ADMIN who creates it. */
export async function makeScimToken({ app }: TestApp, centerId: number): Promise<string> {
  const { plaintext, publicId, secretHash } = SCIM_TOKEN.fresh(app.config.cell);
  const data = { id: newId('scm'), centerId, publicId, secretHash, name: 'Entra ID' };
  await app.db.forCenter(centerId).scimToken.create({ data });
  return plaintext;
}

/** A center with an ADMIN and a directory. */
export async function scimStage(testing?: TestApp) {
  const running = testing ?? (await testApp());
  const stage = await makeStage(running.app);
  const scimToken = await makeScimToken(running, stage.center.id);
  const ctx = systemContext(running.app, 'test', stage.center.id);
  return { ...running, ...stage, ctx, scimToken, scim: makeDirectory(running.url, scimToken) };
}

/** A user as Entra ID creates one. */
export const entraUser = (name: string, more: object = {}) => ({
  schemas: [USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
  externalId: `oid-${name}`,
  userName: `${name}@contoso.test`,
  active: true,
  displayName: `${name[0]!.toUpperCase()}${name.slice(1)} Contoso`,
  emails: [{ primary: true, type: 'work', value: `${name}@contoso.test` }],
  meta: { resourceType: 'User' },
  name: { formatted: `${name} Contoso`, familyName: 'Contoso', givenName: name },
  roles: [],
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Sales' },
  ...more,
});

export const patch = (...Operations: object[]) => ({ schemas: [PATCH_OP], Operations });

/** An identity at the provider of a center, with a live session that it opened. */
export async function signedInThroughProvider(
  { app }: TestApp,
  centerId: number,
  actorId: string,
): Promise<{ identityId: string; sessionId: string }> {
  const identityId = newId('idn');
  await app.db.acrossTenants.identity.create({
    data: { id: identityId, centerId, issuer: 'https://login.test', subject: identityId, actorId },
  });
  const sessionId = newId('ses');
  await app.db.acrossTenants.session.create({
    data: { id: sessionId, actorId, centerId, identityId, expiresAt: new Date(Date.now() + 3_600_000) },
  });
  return { identityId, sessionId };
}

export { makeActor };
