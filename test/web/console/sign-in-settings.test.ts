import { describe, expect, test } from 'vitest';
import { consoleStage, hasBrowser } from './stage.ts';
import { administrator, expectGoodScreen } from './visitor.ts';

const stage = consoleStage();

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
});
