import { type MemberOrigin, originsOf } from '../../domain/memberships/origin.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { onlyProperties } from '../exposed.ts';
import { Membership } from '../memberships/membership.ts';

const admins = { access: { roles: ['ADMIN'] } } as const;

const originOf = makeLoader(originsOf);

const DirectoryEntry = builder.objectRef<NonNullable<MemberOrigin['directory']>>('DirectoryEntry').implement({
  description: "A member as the center's directory sends it over SCIM.",
  fields: onlyProperties({
    userName: ['String', 'The `userName` in the directory.'],
    externalId: ['String?', 'The `externalId` in the directory; null if it sent none.'],
    since: ['DateTime', 'When the directory sent the member first, in UTC.'],
  }),
});

builder.objectFields(Membership, (t) => ({
  hasAccount: t.boolean({
    nullable: true,
    description:
      'Whether the person has an account, which can have a password and other centers, or exists in this center only. Null until they accept.',
    authScopes: admins,
    // Until a person accepts, the center sees nothing of an account.
    resolve: async ({ id, actorId }, _, ctx) =>
      actorId === null ? null : ((await originOf(ctx, id))?.hasAccount ?? null),
  }),
  directory: t.field({
    type: DirectoryEntry,
    nullable: true,
    description: 'What the directory sent of the member over SCIM; null if it does not keep the membership.',
    authScopes: admins,
    resolve: async ({ id }, _, ctx) => (await originOf(ctx, id))?.directory ?? null,
  }),
}));
