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

const Session = builder.objectRef<SessionRow>('Session').implement({
  description: 'One sign-in of the person, on one device.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Names the session.' }),
    current: t.boolean({
      description: 'Whether this very request uses it.',
      resolve: ({ id }, _, { principal }) => principal.kind === 'actor' && principal.sessionId === id,
    }),
    ip: t.exposeString('ip', { nullable: true, description: 'The address it was opened from.' }),
    userAgent: t.exposeString('userAgent', { nullable: true, description: 'What the device calls itself.' }),
    device: t.string({
      nullable: true,
      description: 'The same in a few words, such as “Firefox on Windows”.',
      resolve: ({ userAgent }) => deviceOf(userAgent),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was opened.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      description: 'When it was last used, to the minute.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it ends by itself.' }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was ended, if it was.',
    }),
  }),
});

const RevokeSessionInput = builder.inputType('RevokeSessionInput', {
  description: 'A session of oneself to end, on whatever device.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The id of the session.' }) }),
});

builder.queryField('sessions', (t) =>
  t.field({
    type: [Session],
    description: "The person's own live sessions, newest first, a hundred at most.",
    authScopes: { access: { signedIn: true } },
    resolve: (_, __, ctx) => listSessions(ctx),
  }),
);

builder.mutationFields((t) => ({
  logout: t.boolean({
    description: 'Ends the session that this request uses; its tokens stop working at once.',
    authScopes: { access: { signedIn: true } },
    resolve: async (_, __, ctx) => {
      const ended = await logout(ctx);
      clearSessionCookie(ctx);
      return ended;
    },
  }),
  revokeOtherSessions: t.int({
    description: "Ends all the person's sessions but this one, at once. Answers how many there were.",
    authScopes: { access: { signedIn: true } },
    resolve: (_, __, ctx) => revokeOtherSessions(ctx),
  }),
  revokeSession: t.field({
    type: Session,
    description: "Ends one of the person's own sessions at once.",
    authScopes: { access: { signedIn: true } },
    args: {
      input: t.arg({ type: RevokeSessionInput, required: true, description: 'Which session to end.' }),
    },
    resolve: (_, { input }, ctx) => revokeSession(ctx, String(input.id)),
  }),
}));
