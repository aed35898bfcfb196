import type { App } from '../app.ts';
import type { Center } from '../db/generated/prisma/client.ts';
import { createApiKey } from '../domain/api-keys/keys.ts';
import { systemContext } from '../domain/context.ts';
import { ensureActors } from './accounts.ts';
import { ensureCenters } from './centers.ts';
import { ensureAvailability, ensureBookings, ensureGuardianship, ensureMembers } from './members.ts';
import { ensurePartner, ensurePayment } from './partner.ts';
import { ensureCompletedBlock, ensureDecisions, ensurePolicy, ensureRecords } from './records.ts';

export interface DemoSeed {
  /** The new key; null if it existed before, because its secret is not stored. */
  apiKey: string | null;
  /** A sealed decision of demo-rehab for the verification page. */
  sealedEventId: string | null;
}

const LOCK = 'countersign demo seed';
const KEY_NAME = 'Demo key';

/**
 * Creates the demo tenants. Existing rows stay unchanged and missing ones are created, so the next start completes an
 * interrupted one. An advisory lock serializes processes that start at once.
 */
export async function seedDemo(app: App): Promise<DemoSeed> {
  const client = await app.db.pool.connect();
  try {
    // Another process may be seeding, which takes longer than locks usually do.
    await client.query('SET lock_timeout = 0; SET statement_timeout = 0');
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [LOCK]);
    return await createDemo(app);
  } finally {
    // Closing the connection releases the lock.
    client.release(true);
  }
}

async function createDemo(app: App): Promise<DemoSeed> {
  const actors = await ensureActors(app);
  const partnerId = await ensurePartner(app, actors);
  const centers = await ensureCenters(app, partnerId);
  const rehab = centers.get('demo-rehab')!;
  await ensureMembers(app, actors, centers);
  await ensureAvailability(app, actors, rehab);
  await ensureGuardianship(app, actors, rehab);
  await ensureBookings(app, actors, rehab);
  await ensurePayment(app, actors, partnerId, rehab);
  await ensurePolicy(app, actors, rehab);
  let sealedEventId: string | null = null;
  for (const center of centers.values()) {
    await ensureRecords(app, center);
    const sealed = await ensureDecisions(app, center);
    if (center === rehab) sealedEventId = sealed;
  }
  await ensureCompletedBlock(app, actors, rehab);
  return { apiKey: await ensureApiKey(app, rehab), sealedEventId };
}

async function ensureApiKey(app: App, { id }: Center): Promise<string | null> {
  const ctx = systemContext(app, 'seed', id);
  if ((await ctx.db.apiKey.count({ where: { name: KEY_NAME } })) > 0) return null;
  const { plaintext } = await createApiKey(ctx, { name: KEY_NAME, scopes: ['proof:read', 'proof:write'] });
  return plaintext;
}
