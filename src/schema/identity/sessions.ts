import { clearSessionCookie } from '../../api/session-cookies.ts';
import type { Session as SessionRow } from '../../db/generated/prisma/client.ts';
import {
  deviceOf,
  listSessions,
  logout,
  revokeOtherSessions,
  revokeSession,
} from '../../domain/identity/sessions.ts';
import { builder } from '../builder.ts';
import { idInput } from '../input-types.ts';

const Session = builder.objectRef<SessionRow>('Session').implement({
  description: 'A session of the person on a device.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the session.' }),
    current: t.boolean({
      description: 'Whether it is the current session.',
      resolve: ({ id }, _, { principal }) => principal.kind === 'actor' && principal.sessionId === id,
    }),
    ip: t.exposeString('ip', { nullable: true, description: 'The IP address it was started from.' }),
    userAgent: t.exposeString('userAgent', { nullable: true, description: 'The user agent.' }),
    device: t.string({
      nullable: true,
      description: 'A short description, such as “Firefox on Windows”.',
      resolve: ({ userAgent }) => deviceOf(userAgent),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it started.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      description: 'When it was last used, to the minute.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it expires.' }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was ended, or null.',
    }),
  }),
});

const RevokeSessionInput = idInput(
  'RevokeSessionInput',
  'One of your sessions to end.',
  'The id of the session.',
);

builder.queryField('sessions', (t) =>
  t.field({
    type: [Session],
    description: 'Your active sessions, newest first, at most 100.',
    authScopes: { access: { signedIn: true } },
    resolve: (_, __, ctx) => listSessions(ctx),
  }),
);

builder.mutationFields((t) => ({
  logout: t.boolean({
    description: 'Ends the current session. Its tokens are invalid immediately.',
    authScopes: { access: { signedIn: true } },
    resolve: async (_, __, ctx) => {
      const ended = await logout(ctx);
      clearSessionCookie(ctx);
      return ended;
    },
  }),
  revokeOtherSessions: t.int({
    description: 'Ends all your other sessions. Returns how many.',
    authScopes: { access: { signedIn: true } },
    resolve: (_, __, ctx) => revokeOtherSessions(ctx),
  }),
  revokeSession: t.field({
    type: Session,
    description: 'Ends one of your sessions.',
    authScopes: { access: { signedIn: true } },
    args: {
      input: t.arg({ type: RevokeSessionInput, required: true, description: 'The session to end.' }),
    },
    resolve: (_, { input }, ctx) => revokeSession(ctx, input.id),
  }),
}));
