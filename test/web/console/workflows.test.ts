import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { consoleStage, hasBrowser } from './stage.ts';
import { administrator, expectGoodScreen } from './visitor.ts';

const stage = consoleStage({ worker: true });

/** Opens a list and chooses an option. Without the pointer, because the result of a check may move an open list. */
async function choose(field: Locator, option: string | RegExp): Promise<void> {
  await field.dispatchEvent('click');
  await field.page().getByRole('option', { name: option, exact: true }).dispatchEvent('click');
}

describe.runIf(hasBrowser)('workflows', () => {
  test('a workflow is written with validation of the fields that were left, run, reviewed, retried at the failed step and scheduled', async () => {
    const { page, open, follow, faults, close } = await administrator(stage);
    await open('/workflows');
    await page.getByText('No workflows yet').waitFor();
    const checks = page.waitForResponse(
      (response) => !!response.request().postData()?.includes('CheckWorkflow'),
    );
    await Promise.all([checks, page.getByRole('link', { name: 'New workflow' }).click()]);
    // Nothing is red before the first key is typed, and problems of a field are shown once it was left.
    const invalid = page.locator('main [aria-invalid="true"]');
    await page.evaluate('new Promise(requestAnimationFrame)');
    expect(await invalid.count()).toBe(0);
    const first = page.getByRole('region', { name: 'Step 1' });
    const fault = first.getByText('Reads steps.missing, which does not run before this step.');
    const checked = page.waitForResponse(
      (response) => !!response.request().postData()?.includes('steps.missing'),
    );
    await first.getByRole('textbox', { name: 'Text' }).fill('Hello {{ steps.missing.text }}');
    await checked;
    await page.evaluate('new Promise(requestAnimationFrame)');
    expect(await invalid.count()).toBe(0);
    await page.keyboard.press('Tab');
    await fault.waitFor();
    await page.getByText('1 problem to fix').waitFor();
    // Saving shows every problem at its field and counts them; a step that is added later is not red at once.
    await page.getByRole('button', { name: 'Save workflow' }).click();
    await page.getByText('2 problems to fix').waitFor();
    expect(await invalid.count()).toBe(2);
    await page.locator('main [aria-invalid="true"]:focus').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Discharge');
    await page.getByText('1 problem to fix').waitFor();
    const checkedAgain = page.waitForResponse(
      (response) => !!response.request().postData()?.includes('human_review'),
    );
    await choose(page.getByRole('combobox', { name: 'Add step' }), 'Review');
    await checkedAgain;
    await page.getByText('1 problem to fix').waitFor();
    expect(await invalid.count()).toBe(1);
    await page.getByRole('button', { name: 'Remove step 2' }).click();
    await expectGoodScreen(page, 'workflow-editor');
    await first
      .getByRole('textbox', { name: 'Text' })
      .fill('{{ center.name }} lets {{ parameters.patient }} go.');
    await page.getByRole('button', { name: 'Add parameter' }).click();
    await page.getByLabel('Name', { exact: true }).last().fill('patient');
    const afterCheckOf = async (words: string, fill: (words: string) => Promise<void>) => {
      const checked = page.waitForResponse((response) => !!response.request().postData()?.includes(words));
      await Promise.all([checked, fill(words)]);
    };
    await page.getByLabel('Shown as').fill('Patient');
    await choose(page.getByRole('combobox', { name: 'Add step' }), 'Review');
    const question = page.getByRole('region', { name: 'Step 2' }).getByRole('textbox', { name: 'Question' });
    // Nothing can be saved during the last check.
    await afterCheckOf('Let {{ parameters.patient }} go?', (words) => question.fill(words));
    await page.getByRole('button', { name: 'Save workflow' }).click();

    await page.getByRole('heading', { name: 'Discharge' }).waitFor();
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByLabel('Patient').fill('Mr Grey');
    await page.getByRole('button', { name: 'Run it' }).click();
    await page.getByText('Let Mr Grey go?').waitFor({ timeout: 90_000 });
    await expectGoodScreen(page, 'workflow-run');
    await page.getByLabel('Reason').fill('Not yet.');
    await page.getByRole('button', { name: 'No', exact: true }).click();
    await page.getByText('step2: rejected').waitFor();

    await page.getByRole('button', { name: 'Retry from the failed step' }).click();
    await page.getByText('Let Mr Grey go?').waitFor({ timeout: 90_000 });
    // The question is also in Approvals, counted by its badge and by the overview.
    await page.getByRole('link', { name: /^Approvals\s*1\s*waiting$/ }).waitFor();
    await follow('Overview');
    await page
      .getByRole('link', { name: /Waiting for approval\s*1\s*Including 1 question from workflows/ })
      .click();
    await page.getByRole('row', { name: /Let Mr Grey go\?/ }).waitFor();
    await expectGoodScreen(page, 'approvals-workflow-question');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Yes, continue' }).click();
    await page.getByText("You're all caught up").waitFor();
    await follow('Workflows');
    await page
      .getByRole('row', { name: /Discharge.*Completed/ })
      .first()
      .waitFor({ timeout: 90_000 });
    const { rows } = await stage.running.app.db.declared('acrossTenants').query(
      `SELECT count(*)::int AS runs, count(DISTINCT s.started_at)::int AS beginnings
       FROM workflow_step_run s WHERE s.name = 'text'`,
    );
    // The first step was reused, not run again.
    expect(rows).toEqual([{ runs: 2, beginnings: 1 }]);

    await page
      .getByRole('row', { name: /Discharge/ })
      .first()
      .getByRole('link', { name: 'Discharge' })
      .click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Remove patient' }).click();
    await page
      .getByRole('region', { name: 'Step 1' })
      .getByRole('textbox', { name: 'Text' })
      .fill('Good morning.');
    await page
      .getByRole('region', { name: 'Step 2' })
      .getByRole('textbox', { name: 'Question' })
      .fill('Open the doors?');
    await page.getByRole('radiogroup', { name: 'Trigger' }).getByText('A schedule').click();
    await choose(page.getByRole('combobox', { name: 'Runs' }), 'Expert: cron expression');
    await page.getByLabel('Cron expression').fill('61 8 * * 1');
    await page.keyboard.press('Tab');
    await page.getByText('1 problem to fix').waitFor();
    await choose(page.getByRole('combobox', { name: 'Runs' }), 'On days of the week');
    await page.getByText('Thu', { exact: true }).click();
    expect(await page.getByRole('checkbox', { name: 'Thursdays' }).isChecked()).toBe(true);
    await page.getByLabel('Time of day').fill('06:45');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Asia/Tok');
    await page.getByRole('option', { name: 'Asia/Tokyo' }).dispatchEvent('click');
    await page.getByText('Next runs, in Asia/Tokyo:').waitFor();
    await expectGoodScreen(page, 'workflow-schedule');
    await page.getByRole('button', { name: 'Save as new version' }).click();
    await page.getByText(/Version 2, saved/).waitFor();
    await page.getByRole('list', { name: 'Next runs' }).waitFor();
    const runs = await page.getByRole('list', { name: 'Next runs' }).getByRole('listitem').allTextContents();
    expect(runs).toHaveLength(5);
    // The screen uses the time zone of the schedule and names it once.
    for (const run of runs) expect(run).toMatch(/06:45$/);
    expect(await page.getByText('Times in Asia/Tokyo.').count()).toBe(1);
    await page.getByText('Mondays and Thursdays at 06:45').waitFor();
    await expectGoodScreen(page, 'workflow');
    await follow('Workflows');
    await page.getByText('Times in Europe/Berlin.').waitFor();
    await page.getByRole('row', { name: /Discharge.*On a schedule in Asia\/Tokyo/ }).waitFor();
    await expectGoodScreen(page, 'workflows');
    expect(faults).toEqual([]);
    await close();
  });
});

describe.runIf(hasBrowser)('workflow branches', () => {
  test('Job: Build a workflow. Both sides of a branch are built with autocompletion, tested in a dry run, guarded against unsaved changes, and run', async () => {
    const { page, open, follow, faults, close } = await administrator(stage);
    await page.setViewportSize({ width: 390, height: 844 });
    await open('/workflows/new');
    await page.getByLabel('Name', { exact: true }).fill('Refund');
    await page.getByRole('button', { name: 'Add parameter' }).click();
    await page.getByLabel('Name', { exact: true }).last().fill('amount');
    await choose(page.getByRole('combobox', { name: 'Kind' }).last(), 'Number');
    await choose(page.getByRole('combobox', { name: 'Add step', exact: true }), 'Branch (if / else)');
    // A field moves its caret in the next frame after a name was inserted.
    const caretMoved = () => page.evaluate('new Promise(requestAnimationFrame)');
    const condition = page.getByRole('textbox', { name: 'If', exact: true });
    // Typed by hand, so that completions are offered; the first one is accepted. The button appears with the names.
    await page.getByRole('button', { name: 'Insert a value into If' }).waitFor();
    await condition.pressSequentially('parameters.am');
    await page.getByRole('option', { name: /parameters\.amount/ }).waitFor();
    await condition.press('Enter');
    await caretMoved();
    await condition.pressSequentially(' > 100.0 && facts.membrs > 0');
    await condition.press('Tab');
    await page.getByText(/Unknown property facts\.membrs: use facts\.members/).waitFor();
    await condition.fill('parameters.amount > 100.0');
    for (const [side, words] of [
      ['Add step if true', 'Ask a person about {{ parameters.amount }}.'],
      ['Add step otherwise', 'Paid at once.'],
    ] as const) {
      await choose(page.getByRole('combobox', { name: side }), 'Text');
      await page
        .getByRole('textbox', { name: 'Text', exact: true })
        .nth(side === 'Add step if true' ? 1 : 2)
        .fill(words);
    }
    await choose(page.getByRole('combobox', { name: 'Add step', exact: true }), 'Text');
    const last = page.getByRole('textbox', { name: 'Text', exact: true });
    await last.nth(3).fill('Amount: ');
    await choose(
      page.getByRole('button', { name: 'Insert a value into Text' }).last(),
      /steps\.step2\.holds/,
    );
    await caretMoved();
    await last.first().fill('Refund.');
    expect(await last.nth(3).inputValue()).toBe('Amount: {{ steps.step2.holds }}');
    await page.setViewportSize({ width: 1280, height: 900 });
    await expectGoodScreen(page, 'workflow-branch');
    // A step moves to the other side, out of the branch, and back.
    const textsOf = (side: string) =>
      page
        .getByRole('region', { name: `step2: ${side}` })
        .getByRole('textbox', { name: 'Text', exact: true });
    const moveStep = async (number: number, place: string) => {
      await page.getByRole('button', { name: `Move step ${number} to another branch` }).click();
      await page.getByRole('menuitem', { name: place }).click();
    };
    await moveStep(4, 'step2: If true');
    await expect.poll(() => textsOf('If true').count()).toBe(2);
    expect(await textsOf('If true').last().inputValue()).toBe('Paid at once.');
    expect(await textsOf('Otherwise').count()).toBe(0);
    await moveStep(4, 'Main steps');
    await expect.poll(() => textsOf('If true').count()).toBe(1);
    expect(await last.nth(2).inputValue()).toBe('Paid at once.');
    await moveStep(4, 'step2: Otherwise');
    await expect.poll(() => textsOf('Otherwise').count()).toBe(1);

    // The draft survives a reload, with its branches.
    await page.reload();
    await page.getByText('Restored your draft.').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).first().inputValue()).toBe('Refund');
    expect(await textsOf('If true').inputValue()).toBe('Ask a person about {{ parameters.amount }}.');
    await page.getByRole('button', { name: 'Dry run' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('amount').fill('500');
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    const steps = dialog.getByRole('list', { name: 'Result of the dry run' }).getByRole('listitem');
    await steps.first().waitFor();
    const seen = async () =>
      (await steps.allTextContents()).map((text) => /^(Would run|Skipped)/.exec(text)?.[0]);
    expect(await seen()).toEqual(['Would run', 'Would run', 'Would run', 'Skipped', 'Would run']);
    await expectGoodScreen(page, 'workflow-dry-run');
    await dialog.getByLabel('amount').fill('5');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(seen).toEqual(['Would run', 'Would run', 'Skipped', 'Would run', 'Would run']);
    await page.keyboard.press('Escape');

    await follow('Overview');
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByText('Keep editing').click();
    await page.getByRole('button', { name: 'Save workflow' }).click();
    await page.getByRole('heading', { name: 'Refund' }).waitFor();
    await page.getByText('Paid at once.').waitFor();
    await page.getByRole('button', { name: 'Dry run' }).click();
    await dialog.getByLabel('amount').fill('5');
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    await expect.poll(seen).toEqual(['Would run', 'Would run', 'Skipped', 'Would run', 'Would run']);
    await page.keyboard.press('Escape');
    await page.getByText('No runs yet').waitFor();
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByLabel('amount').fill('5');
    await page.getByRole('button', { name: 'Run it' }).click();
    await page.getByText('Completed', { exact: true }).first().waitFor({ timeout: 90_000 });
    expect(await page.getByText(': skipped').count()).toBe(1);
    await page.getByRole('link', { name: 'Refund' }).first().click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await last.first().fill('Something else.');
    await follow('Overview');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('heading', { name: /^Good/ }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
