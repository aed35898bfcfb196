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
import { columnsOf } from '../exposed.ts';
import { idInput, inputArg } from '../input-types.ts';
import { listLimit, listOffset, listPage } from '../paging.ts';

export const Session = builder.objectRef<SessionRow>('Session').implement({
  description: 'A sign-in of the person on a device, with its tokens.',
  fields: (t) => ({
    ...columnsOf('Session', t, {
      ip: 'The IP address that the person signed in from; null if unknown.',
      userAgent: 'The User-Agent header of the sign-in; null if there was none.',
      createdAt: 'When the person signed in, in UTC.',
      lastUsedAt: 'When it was last used, to the minute.',
      expiresAt: 'When the session ends unless its tokens are refreshed, in UTC.',
      revokedAt: 'When the session was ended early, in UTC; null if it was not.',
    }),
    id: t.exposeID('id', { description: 'The id of the session, `ses_…`.' }),
    current: t.boolean({
      description: 'Whether it is the session of this request.',
      resolve: ({ id }, _, { principal }) => principal.kind === 'actor' && principal.sessionId === id,
    }),
    device: t.string({
      nullable: true,
      description: 'A short description of the device, such as “Firefox on Windows”; null if unknown.',
      resolve: ({ userAgent }) => deviceOf(userAgent),
    }),
  }),
});

const RevokeSessionInput = idInput(
  'RevokeSessionInput',
  'One of your sessions, whose tokens become invalid.',
  'The id of the session, `ses_…`.',
);

const MOST_SHOWN = 100;

builder.queryField('sessions', (t) =>
  t.field({
    type: [Session],
    description: 'Your active sessions, newest first.',
    authScopes: { access: { signedIn: true } },
    args: { limit: t.arg.int(listLimit(MOST_SHOWN)), offset: t.arg.int(listOffset) },
    resolve: (_, page, ctx) => listSessions(ctx, listPage(page, MOST_SHOWN)),
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
    args: inputArg(RevokeSessionInput, 'The session, whose tokens become invalid.'),
    resolve: (_, { input }, ctx) => revokeSession(ctx, input.id),
  }),
}));
