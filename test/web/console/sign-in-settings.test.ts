import { afterAll, describe, expect, test } from 'vitest';
import { startDnsServer } from '../../helpers/dns-server.ts';
import { makeMember } from '../../helpers/world.ts';
import { companyProvider } from '../../single-sign-on/helpers/oidc-provider.ts';
import { saveProvider } from '../../single-sign-on/helpers/sign-in.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { administrator, expectGoodScreen } from './visitor.ts';

const dns = await startDnsServer();
const stage = consoleStage({ env: { DNS_SERVERS: dns.address } });
afterAll(() => dns.close());

describe.runIf(hasBrowser)('sign-in settings', () => {
  test('Job: Connect a directory. A SCIM token is created, shown once, rotated and revoked', async () => {
    const { page, open, faults, close } = await administrator(stage);
    await open('/settings');
    await page.getByRole('link', { name: 'Set up company sign-in' }).click();
    await page.getByRole('heading', { name: 'Sign-in', exact: true }).waitFor();
    await page.getByText(`${stage.running.app.config.publicUrl}/scim/v2`).waitFor();
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Entra ID');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const shown = page.getByTestId('secret');
    const first = (await shown.textContent())!;
    expect(first).toMatch(/^scim_/);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await shown.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(first);
    await page.getByRole('row', { name: /Entra ID.*Never/ }).waitFor();
    await expectGoodScreen(page, 'sign-in-settings-empty');
    await page.getByRole('button', { name: 'Actions for Entra ID' }).click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    await page.getByRole('button', { name: 'Rotate token' }).click();
    expect(await shown.textContent()).not.toBe(first);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Actions for Entra ID' }).nth(1).waitFor();
    await page.getByRole('button', { name: 'Actions for Entra ID' }).first().click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The token was revoked.').waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test('groups of the directory are marked and read-only until they are taken over', async () => {
    const { page, open, center, admin, faults, close } = await administrator(stage);
    const { graphql, app } = stage.running;
    const grace = await makeMember(app, center.id, 'INSTRUCTOR', { name: 'Grace Hopper' });
    const send = async (document: string, input: object) => {
      const { data, errors } = await graphql(document, { input }, admin.token);
      expect(errors).toBeUndefined();
      return data;
    };
    const { createGroup } = await send(
      'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { id } }',
      { name: 'Finance' },
    );
    await send('mutation ($input: SetGroupMembersInput!) { setGroupMembers(input: $input) { id } }', {
      id: createGroup.id,
      membershipIds: [grace.membership.id],
    });
    const sourceOf = async () =>
      (await app.db.acrossTenants.approvalGroup.findUniqueOrThrow({ where: { id: createGroup.id } })).source;
    await open('/groups');
    const actions = page.getByRole('button', { name: 'Actions for Finance' });
    await actions.click();
    await page.getByRole('menuitem', { name: 'Hand over to the directory' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Hand over' }).click();
    await page.getByText('From the directory').waitFor();
    expect(await sourceOf()).toBe('SCIM');
    await actions.click();
    await page.getByRole('menuitem', { name: 'Show members' }).waitFor();
    expect(await page.getByRole('menuitem', { name: /Rename|Delete|Choose/ }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Show members' }).click();
    const dialog = page.getByRole('dialog', { name: 'Members of “Finance”' });
    await dialog.getByText('Grace Hopper').waitFor();
    expect(await dialog.getByRole('button', { name: /Save/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await expectGoodScreen(page, 'groups-directory');
    await actions.click();
    await page.getByRole('menuitem', { name: 'Take over from the directory' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take over' }).click();
    await page.getByText('From the directory').waitFor({ state: 'detached' });
    expect(await sourceOf()).toBe('CONSOLE');
    expect(faults).toEqual([]);
    await close();
  });

  test('an email domain is added, verified with its DNS record, and removed', async () => {
    const { page, open, faults, close } = await administrator(stage);
    await open('/settings/sign-in');
    await page.getByRole('button', { name: 'Add domain' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Domain').fill('ada@harbour.test');
    await dialog.getByRole('button', { name: 'Add domain' }).click();
    await dialog.getByText('Enter a domain, such as example.com.').waitFor();
    await dialog.getByLabel('Domain').fill('Harbour.test');
    await dialog.getByRole('button', { name: 'Add domain' }).click();
    const row = page.getByRole('row', { name: /harbour\.test.*Not verified/ });
    await row.waitFor();
    await row.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('The domain is not verified').waitFor();
    const [name, value] = await row.locator('.mono').allTextContents();
    dns.records.set(name!, [value!]);
    await row.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('The domain is verified.').waitFor();
    await page.getByRole('row', { name: /harbour\.test.*Verified/ }).waitFor();
    // Without the notices: their contrast is too low while they fade out.
    await page.getByText('The domain is verified.').waitFor({ state: 'detached' });
    await expectGoodScreen(page, 'email-domains');
    await page.getByRole('button', { name: 'Actions for harbour.test' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No email domain yet').waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test('another client needs its secret and a confirmation, and removing a provider says what ends', async () => {
    const { page, open, center, admin, faults, close } = await administrator(stage);
    const { app } = stage.running;
    const provider = await companyProvider({ home: app.config.publicUrl });
    expect((await saveProvider(stage.running, admin.token, provider)).errors).toBeUndefined();
    const stored = () => app.db.acrossTenants.identityProvider.findUnique({ where: { centerId: center.id } });
    const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
    await open('/settings/sign-in');
    await page.getByLabel('Client ID').fill('another-client');
    await save();
    await page.getByText('Another issuer or client needs its secret.').waitFor();
    await page.getByRole('textbox', { name: 'Client secret' }).fill('another secret');
    await save();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^Everyone who signed in through Company Login is signed out now/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await stored())?.clientId).toBe(provider.clientId);

    // What only the service finds is shown beside its field.
    await page.getByLabel('Issuer').fill(`${provider.issuer}/elsewhere`);
    await save();
    await dialog.getByRole('button', { name: 'Save and sign them out' }).click();
    await page.locator('[aria-invalid="true"]').and(page.getByLabel('Issuer')).waitFor();
    expect((await stored())?.issuer).toBe(provider.issuer);

    // A preset fills in what its provider needs.
    await page.getByRole('combobox', { name: 'Provider' }).click();
    await page.getByRole('option', { name: 'Google Workspace' }).click();
    expect(await page.getByLabel('Issuer').inputValue()).toBe('https://accounts.google.com');
    expect(await page.getByLabel('Required claim 1', { exact: true }).inputValue()).toBe('hd');
    await save();
    await page.getByText('Enter the value it must have.').waitFor();
    await page.getByRole('combobox', { name: 'Provider' }).click();
    await page.getByRole('option', { name: 'Keycloak' }).click();
    await page.getByLabel('Server').fill('https://login.harbour.test/');
    await page.getByLabel('Realm').fill('staff');
    expect(await page.getByLabel('Issuer').inputValue()).toBe('https://login.harbour.test/realms/staff');
    await expectGoodScreen(page, 'sign-in-settings-preset');

    await page.getByRole('button', { name: 'Remove provider' }).click();
    await dialog.getByText(/People who have no password cannot sign in any more/).waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The provider was removed.').waitFor();
    await page.getByRole('button', { name: 'Remove provider' }).waitFor({ state: 'detached' });
    expect(await stored()).toBeNull();
    await open('/audit');
    await page.getByRole('button', { name: /Identity provider removed/ }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
