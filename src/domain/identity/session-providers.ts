import type { Context } from '../context.ts';

/** The names of the providers of identities, by identity. An identity of an earlier provider has none. */
export async function providersOfIdentities(
  { app }: Context,
  identityIds: string[],
): Promise<Map<string, string>> {
  const db = app.db.acrossTenants;
  const identities = await db.identity.findMany({ where: { id: { in: identityIds } } });
  const providers = await db.identityProvider.findMany({
    where: { centerId: { in: identities.map(({ centerId }) => centerId) } },
    select: { centerId: true, issuer: true, name: true },
  });
  return new Map(
    identities.flatMap(({ id, centerId, issuer }) => {
      const provider = providers.find((each) => each.centerId === centerId && each.issuer === issuer);
      return provider ? [[id, provider.name] as const] : [];
    }),
  );
}
