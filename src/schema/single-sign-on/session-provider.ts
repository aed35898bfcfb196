import type { Context } from '../../domain/context.ts';
import { providersOfIdentities } from '../../domain/identity/session-providers.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { Me } from '../identity/me.ts';
import { Session } from '../identity/sessions.ts';

const providerOf = makeLoader((ctx: Context, identityIds: string[]) =>
  providersOfIdentities(ctx, identityIds),
);

builder.objectField(Session, 'provider', (t) =>
  t.string({
    nullable: true,
    description:
      'The name of the identity provider that opened the session; null after a password or a passkey.',
    resolve: async ({ identityId }, _, ctx) =>
      identityId === null ? null : ((await providerOf(ctx, identityId)) ?? null),
  }),
);

builder.objectField(Me, 'hasAccount', (t) =>
  t.boolean({
    description:
      'Whether the person has an account, which can have a password. Otherwise they exist in one center only, through its identity provider or its directory.',
    resolve: ({ homeCenterId }) => homeCenterId === null,
  }),
);
