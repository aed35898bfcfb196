import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkEmailDomains } from '../../src/domain/email-domains/daily-check.ts';
import { cronItems } from '../../src/jobs/handlers.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { type DnsServer, startDnsServer } from '../helpers/dns-server.ts';
import { makeMember, makeStage } from '../helpers/world.ts';

let dns: DnsServer;
let running: TestApp;
beforeAll(async () => {
  dns = await startDnsServer();
  running = await startTestApp({ env: { DNS_SERVERS: dns.address } });
});
afterAll(async () => {
  await running.close();
  await dns.close();
});
beforeEach(() => {
  dns.records.clear();
  dns.behavior = 'answer';
});

const LIST = '{ emailDomains { domain txtName txtValue verifiedAt } }';
const VERIFY = /* GraphQL */ `
  mutation ($domain: String!) { verifyEmailDomain(input: { domain: $domain }) { domain verifiedAt } }`;
const SAVE = 'mutation ($domains: [String!]) { updateCenter(input: { emailDomains: $domains }) { id } }';

const domainsOf = async (token: string) => (await running.graphql(LIST, {}, token)).data.emailDomains;
const save = (domains: string[], token: string) => running.graphql(SAVE, { domains }, token);

/** When it was verified, or the error. */
async function verify(domain: string, token: string) {
  const { data, errors } = await running.graphql(VERIFY, { domain }, token);
  return errors ? `${errors[0]!.extensions.code}: ${errors[0]!.message}` : data.verifyEmailDomain.verifiedAt;
}

/** Publishes the record that the center shows for its domain. */
async function publish(domain: string, token: string) {
  const row = (await domainsOf(token)).find((each: { domain: string }) => each.domain === domain);
  dns.records.set(row.txtName, ['v=spf1 -all', row.txtValue]);
}

/** A center that has verified a domain. */
async function verified(domain: string) {
  const stage = await makeStage(running.app, { settings: { emailDomains: [domain] } });
  await publish(domain, stage.token);
  expect(await verify(domain, stage.token)).toEqual(expect.any(String));
  return stage;
}

const HOUR_MS = 3_600_000;

/** Runs the hourly job as if this many days had passed. */
const checkAfter = (days: number) =>
  checkEmailDomains(running.app, new Date(Date.now() + days * 24 * HOUR_MS));

const auditOf = async (centerId: number) =>
  (
    await running.app.db.forCenter(centerId).auditEntry.findMany({
      where: { type: 'center.updated' },
      orderBy: { index: 'asc' },
    })
  ).map(({ detail }) => detail);

describe('verifying an email domain', () => {
  test('shows a record for each domain of the settings and verifies it once the DNS has it', async () => {
    const { center, token } = await makeStage(running.app, { settings: { emailDomains: ['Mail.example'] } });
    const [shown] = await domainsOf(token);
    expect(shown).toEqual({
      domain: 'mail.example',
      txtName: '_countersign.mail.example',
      txtValue: expect.stringMatching(/^countersign-verification=[\w-]{20,}$/),
      verifiedAt: null,
    });
    expect(await domainsOf(token)).toEqual([shown]);
    expect(await verify('mail.example', token)).toContain(
      `VALIDATION_ERROR: input.domain: the DNS has no TXT record ${shown.txtName} with the value ${shown.txtValue}`,
    );
    dns.records.set(shown.txtName, ['countersign-verification=another']);
    expect(await verify('mail.example', token)).toContain('VALIDATION_ERROR');
    await publish('mail.example', token);
    const verifiedAt = await verify(' MAIL.example ', token);
    expect(Date.parse(verifiedAt)).toBeLessThanOrEqual(Date.now());
    // Again has no effect.
    expect(await verify('mail.example', token)).toBe(verifiedAt);
    expect(await auditOf(center.id)).toEqual([
      { change: 'email domain verified', domain: 'mail.example', txtName: shown.txtName },
    ]);
  });

  test('refuses domains outside the settings, and DNS servers that give no answer', async () => {
    const { token } = await makeStage(running.app, { settings: { emailDomains: ['slow.example'] } });
    expect(await verify('other.example', token)).toContain('must be one of settings.emailDomains');
    expect(await verify('com', token)).toContain('must be one of settings.emailDomains');
    dns.behavior = 'fail';
    expect(await verify('slow.example', token)).toContain('the DNS servers gave no answer');
  });

  test('a domain that is removed and added again needs a new record', async () => {
    const { token } = await verified('again.example');
    await save([], token);
    expect(await domainsOf(token)).toEqual([]);
    await save(['again.example'], token);
    expect(await domainsOf(token)).toMatchObject([{ domain: 'again.example', verifiedAt: null }]);
    expect(await verify('again.example', token)).toContain('VALIDATION_ERROR');
  });

  test('a domain belongs to one center, also if two verify it at once', async () => {
    const { token: owner } = await verified('taken.example');
    const { token: other } = await makeStage(running.app, { settings: { emailDomains: ['taken.example'] } });
    await publish('taken.example', other);
    expect(await verify('taken.example', other)).toContain('CONFLICT: Another center has verified');
    await save([], owner);
    expect(await verify('taken.example', other)).toEqual(expect.any(String));

    const settings = { emailDomains: ['race.example'] };
    const rivals = [await makeStage(running.app, { settings }), await makeStage(running.app, { settings })];
    const rows = await Promise.all(rivals.map(({ token }) => domainsOf(token)));
    dns.records.set(
      '_countersign.race.example',
      rows.map(([row]) => row.txtValue),
    );
    const results = await Promise.all(rivals.map(({ token }) => verify('race.example', token)));
    expect(results.filter((result) => result.startsWith('CONFLICT'))).toHaveLength(1);
  });

  test("only ADMINs see and verify a center's domains, and never those of another one", async () => {
    const { center, token } = await makeStage(running.app, { settings: { emailDomains: ['ours.example'] } });
    const [shown] = await domainsOf(token);
    const member = await makeMember(running.app, center.id, 'INSTRUCTOR');
    const { errors } = await running.graphql(LIST, {}, member.token);
    expect(errors?.[0]?.extensions.code).toBe('INSUFFICIENT_ROLE');
    expect(await verify('ours.example', member.token)).toContain('INSUFFICIENT_ROLE');
    const stranger = await makeStage(running.app);
    expect(await domainsOf(stranger.token)).toEqual([]);
    // The record of one center proves nothing for another.
    await save(['ours.example'], stranger.token);
    dns.records.set(shown.txtName, [shown.txtValue]);
    expect(await verify('ours.example', stranger.token)).toContain('VALIDATION_ERROR');
  });
});

describe('the daily check', () => {
  test('is scheduled every hour', () => {
    expect(cronItems().filter(({ task }) => task === 'check_email_domains')).toHaveLength(1);
  });

  test('ends the verification after three misses in a row', async () => {
    const { center, token } = await verified('misses.example');
    const isVerified = async () => (await domainsOf(token))[0].verifiedAt !== null;
    const record = [...dns.records];
    dns.records.clear();
    await checkAfter(1);
    await checkAfter(2);
    // Not due again on the same day.
    await checkAfter(2.1);
    expect(await isVerified()).toBe(true);
    dns.records = new Map(record);
    await checkAfter(3);
    dns.records.clear();
    await checkAfter(4);
    await checkAfter(5);
    expect(await isVerified()).toBe(true);
    await checkAfter(6);
    expect(await isVerified()).toBe(false);
    expect((await auditOf(center.id)).at(-1)).toEqual({
      change: 'email domain lost',
      domain: 'misses.example',
      reason: 'record_missing',
    });
    // Another center can verify it now.
    const { token: next } = await makeStage(running.app, { settings: { emailDomains: ['misses.example'] } });
    await publish('misses.example', next);
    expect(await verify('misses.example', next)).toEqual(expect.any(String));
  });

  test('does not count a DNS failure as a miss, unless it lasts a week', async () => {
    const { center, token } = await verified('outage.example');
    const isVerified = async () => (await domainsOf(token))[0].verifiedAt !== null;
    dns.behavior = 'fail';
    for (const day of [1, 2, 3, 4, 5, 6]) await checkAfter(day);
    expect(await isVerified()).toBe(true);
    await checkAfter(8);
    expect(await isVerified()).toBe(false);
    expect((await auditOf(center.id)).at(-1)).toMatchObject({ reason: 'no_dns_answer' });
  });
});
