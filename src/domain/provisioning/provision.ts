import { canonicalJson } from '@countersign/proof-kit/canonical';
import { z } from 'zod';
import type { Tx } from '../../db/database.ts';
import { isDatabaseDown } from '../../db/faults.ts';
import { Vertical } from '../../db/generated/prisma/enums.ts';
import { sha256Hex } from '../../lib/crypto.ts';
import { A_PERSON, doc } from '../../lib/doc.ts';
import { DomainError, validationError } from '../../lib/errors.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { currentActor } from '../identity/me.ts';
import { requireNoCenterLimit } from '../identity/reach.ts';
import { requireCenterPlan } from '../plans/plans.ts';
import type { ActorPrincipal } from '../principal.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { addOrInviteAdmin } from './admin.ts';
import { newCenterZone, setUpCenter } from './set-up-center.ts';
import { subdomainField } from './subdomain.ts';

export const provisionInput = z.object({
  centerName: plainText(256)
    .trim()
    .min(1)
    .meta(doc('The name that people see, 1 to 256 characters.', 'Demo Rehabilitation')),
  subdomain: subdomainField.meta(
    doc('The domain slug: 3 to 30 lowercase letters, digits or hyphens.', 'lake-clinic'),
  ),
  planId: plainText(256)
    .min(1)
    .meta(doc('The id of the initial plan, such as `center-growth`.', 'center-growth')),
  orderId: plainText(256)
    .min(1)
    .meta(
      doc(
        'The id of the order in your own system, 1 to 256 characters. The same order never creates a second center.',
        'order-2026-0042',
      ),
    ),
  adminActorId: plainText(256)
    .min(1)
    .meta(doc('The id of the person who becomes the administrator, a UUID.', A_PERSON)),
  businessNumber: plainText(64)
    .trim()
    .min(1)
    .nullish()
    .meta(doc('The registration number of the organization, at most 64 characters.', '123-45-67890')),
  vertical: z.enum(Vertical).nullish().describe('The line of business. Default: that of the plan.'),
  timezone: newCenterZone,
});

type ProvisionInput = z.infer<typeof provisionInput>;

/** The default if neither the order nor the plan names a line of business. */
const DEFAULT_VERTICAL: Vertical = 'rehabilitation';

/** Executes an order for a center exactly once and atomically. Repeated requests get the same response. */
export async function provisionCenter(ctx: Context, input: ProvisionInput) {
  requireNoCenterLimit(ctx);
  const caller = currentActor(ctx);
  requireMayProvision(caller, input.adminActorId);
  const bodyHash = hashOf(input);
  return withProvisioningErrors(ctx, () =>
    transact.acrossTenants(ctx, async (work) => {
      // A caller's orders are serialized: a repeated one finds the first result, and the limit holds.
      const orderer = ordererOf(caller);
      await work.db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`orders:${orderer}`}, 0))`;
      const order = await work.db.provisioningOrder.findUnique({
        where: { caller_orderId: { caller: orderer, orderId: input.orderId } },
      });
      if (order) return existing(work.db, order, bodyHash, input);
      await requireRoom(work.db, caller);
      return createOrdered(ctx, work, caller, input, bodyHash);
    }),
  );
}

/** The owner of an order's number. Accounts of one partner share their numbers, and so do the platform's administrators. */
function ordererOf(caller: ActorPrincipal): string {
  if (caller.partner) return `partner:${caller.partner.id}`;
  return caller.platformAdmin ? 'platform' : `actor:${caller.actorId}`;
}

/** The number of centers that a person may order for themself. Partners and the platform order for others. */
const MOST_OWN_CENTERS = 20;

async function requireRoom(tx: Tx, { partner, platformAdmin, familyIds }: ActorPrincipal): Promise<void> {
  if (partner || platformAdmin) return;
  const callers = familyIds.map((id) => `actor:${id}`);
  if ((await tx.provisioningOrder.count({ where: { caller: { in: callers } } })) < MOST_OWN_CENTERS) return;
  throw new DomainError(
    'CONFLICT',
    `A person can order at most ${MOST_OWN_CENTERS} centers; ask the operator for more.`,
  );
}

/**
 * An absent field and a field without a value make the same order. Orders without a time zone keep the hash that they had before
 * centers could be ordered with one.
 */
function hashOf({ businessNumber = null, vertical = null, timezone, ...rest }: ProvisionInput): string {
  return sha256Hex(canonicalJson({ ...rest, businessNumber, vertical, ...(timezone && { timezone }) }));
}

function requireMayProvision(caller: ActorPrincipal, adminActorId: string): void {
  if (caller.platformAdmin || caller.partner || caller.familyIds.includes(adminActorId.toLowerCase())) return;
  throw new DomainError('FORBIDDEN', 'Only its administrator, a partner or the platform may order a center.');
}

async function createOrdered(
  ctx: Context,
  work: Work,
  caller: ActorPrincipal,
  input: ProvisionInput,
  bodyHash: string,
) {
  const plan = await requireCenterPlan(work.db, input.planId);
  const admin = await requireActor(work.db, input.adminActorId);
  const { center, subscription, tenantMapping } = await setUpCenter(
    work,
    {
      name: input.centerName,
      subdomains: [input.subdomain],
      vertical: input.vertical ?? plan.vertical ?? DEFAULT_VERTICAL,
      tenantType: 'CENTER',
      partnerId: caller.partner?.id ?? null,
      plan,
      timezone: input.timezone,
      ...(input.businessNumber && { settings: { businessNumber: input.businessNumber } }),
    },
    ctx.now,
  );
  const membership = await addOrInviteAdmin(ctx, work, caller, center.id, admin);
  await work.db.provisioningOrder.create({
    data: {
      caller: ordererOf(caller),
      orderId: input.orderId,
      bodyHash,
      centerId: center.id,
      createdAt: ctx.now,
    },
  });
  return { created: true, center, membership, subscription, tenantMapping };
}

async function requireActor(tx: Tx, id: string) {
  const actor = z.uuid().safeParse(id).success
    ? await tx.actor.findUnique({ where: { id, homeCenterId: null } })
    : null;
  if (actor) return actor;
  throw validationError([{ path: 'adminActorId', message: 'must be the id of an existing account' }]);
}

/** The earlier result of the order, if this is a repeated request. */
async function existing(
  tx: Tx,
  order: { bodyHash: string; centerId: number },
  bodyHash: string,
  input: ProvisionInput,
) {
  const { subscription, tenantMapping, memberships, ...center } = await tx.center.findUniqueOrThrow({
    where: { id: order.centerId },
    include: {
      subscription: { include: { plan: true } },
      tenantMapping: true,
      memberships: { where: { actorId: input.adminActorId }, orderBy: { id: 'asc' }, take: 1 },
    },
  });
  if (order.bodyHash !== bodyHash || !subscription || !tenantMapping || !memberships[0]) {
    throw new DomainError('DUPLICATE_PROVISIONING', 'This orderId was already used for another center.');
  }
  return { created: false, center, membership: memberships[0], subscription, tenantMapping };
}

/**
 * Runs the creation of a center. Errors other than the caller's own mistakes are reported as one failure, and the cause is
 * logged. An unreachable database is reported as such, because a retry can help.
 */
export async function withProvisioningErrors<T>(ctx: Context, create: () => Promise<T>): Promise<T> {
  try {
    return await create();
  } catch (error) {
    if (error instanceof DomainError || isDatabaseDown(error)) throw error;
    ctx.app.log.error({ err: error, requestId: ctx.requestId }, 'a center could not be created');
    throw new DomainError(
      'PROVISIONING_FAILED',
      'The center could not be created. Nothing was kept, so the order can be repeated.',
      {
        cause: error,
      },
    );
  }
}
