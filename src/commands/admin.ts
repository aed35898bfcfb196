// npm run admin: the first steps on a new installation.
import type { App } from '../app.ts';
import { systemContext } from '../domain/context.ts';
import { endProviderRequirement } from '../domain/identities/end-requirement.ts';
import { appointPlatformAdmin } from '../domain/identity/appoint-admin.ts';
import { approveByEmail } from '../domain/memberships/approve-by-email.ts';
import { createFirstCenter } from '../domain/provisioning/first-center.ts';
import { initialize } from './admin/init.ts';
import { type ParsedCommand, readOptions, USAGE } from './admin/options.ts';
import { reencrypt, reencryptionSummary } from './admin/reencrypt.ts';
import { runCommand, withApp } from './run-command.ts';

async function execute(
  app: App,
  command: Exclude<ParsedCommand, { verb: 'init' }>,
): Promise<{ made: object; words: string }> {
  const ctx = systemContext(app, 'admin command', null);
  if (command.verb === 'create') {
    const made = await appointPlatformAdmin(ctx, command.input);
    const next = made.link
      ? `Set the password here, once and within an hour:\n${made.link}`
      : 'They have a password already and keep it.';
    return { made, words: `${made.email} is a platform administrator.\n${next}\n` };
  }
  if (command.verb === 'approve') {
    const made = await approveByEmail(ctx, command.input);
    return { made, words: `${made.email} is approved and can enter ${made.centerName}.\n` };
  }
  if (command.verb === 'provider') {
    const made = await endProviderRequirement(ctx, command.input);
    const { centerName, provider, wasRequired } = made;
    const words = wasRequired
      ? `Passwords and passkeys open ${centerName} again; ${provider} is optional.\n`
      : `${centerName} does not require ${provider}; nothing was changed.\n`;
    return { made, words };
  }
  if (command.verb === 'reencrypt') {
    const made = await reencrypt(app);
    if (Object.keys(made.unreadable).length > 0) process.exitCode = 1;
    return { made, words: reencryptionSummary(made) };
  }
  const made = await createFirstCenter(ctx, command.input);
  const { center, admin } = made;
  const words = [
    `Created ${center.name} (${center.centerDomain}, number ${center.id}). ${admin.email} is invited by mail to administer it.`,
    `After they accept, approve them: npm run admin -- approve --email ${admin.email}`,
    '',
  ].join('\n');
  return { made, words };
}

await runCommand({
  usage: USAGE,
  readOptions,
  run: async ({ command, json }) => {
    // No database exists yet.
    if (command.verb === 'init') {
      process.stdout.write(await initialize(command.input));
      return;
    }
    const { made, words } = await withApp((app) => execute(app, command));
    process.stdout.write(json ? `${JSON.stringify(made, null, 2)}\n` : words);
  },
});
