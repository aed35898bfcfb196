// npm run admin: the first steps on a new installation.
import type { App } from '../app.ts';
import { systemContext } from '../domain/context.ts';
import { appointPlatformAdmin } from '../domain/identity/appoint-admin.ts';
import { approveByEmail } from '../domain/memberships/approve-by-email.ts';
import { createFirstCenter } from '../domain/provisioning/first-center.ts';
import { initialize } from './admin/init.ts';
import { type Order, readOptions, USAGE } from './admin/options.ts';
import { reencrypt, reencryptionSummary } from './admin/reencrypt.ts';
import { runCommand } from './with-app.ts';

async function carryOut(app: App, order: Order): Promise<{ made: object; words: string }> {
  const ctx = systemContext(app, 'admin command', null);
  if (order.verb === 'create') {
    const made = await appointPlatformAdmin(ctx, order.input);
    const next = made.link
      ? `Set the password here, once and within an hour:\n${made.link}`
      : 'They have a password already and keep it.';
    return { made, words: `${made.email} is a platform administrator.\n${next}\n` };
  }
  if (order.verb === 'approve') {
    const made = await approveByEmail(ctx, order.input);
    return { made, words: `${made.email} is approved and can enter ${made.centerName}.\n` };
  }
  if (order.verb === 'reencrypt') {
    const made = await reencrypt(app);
    if (Object.keys(made.unreadable).length > 0) process.exitCode = 1;
    return { made, words: reencryptionSummary(made) };
  }
  if (order.verb === 'init') throw new Error('init needs no database');
  const made = await createFirstCenter(ctx, order.input);
  const { center, admin } = made;
  const words = [
    `Created ${center.name} (${center.centerDomain}, number ${center.id}). ${admin.email} is invited by mail to administer it.`,
    `After they accept, approve them: npm run admin -- approve --email ${admin.email}`,
    '',
  ].join('\n');
  return { made, words };
}

/** No database exists yet. */
async function beforeDatabase(order: Order): Promise<string | null> {
  return order.verb === 'init' ? initialize(order.input) : null;
}

runCommand({ usage: USAGE, readOptions, beforeDatabase, carryOut });
