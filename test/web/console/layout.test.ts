import { describe, expect, test } from 'vitest';
import { consoleStage, hasBrowser } from './stage.ts';
import { administrator } from './visitor.ts';

const stage = consoleStage();

describe.runIf(hasBrowser)('layout', () => {
  test('on a phone a toast is below the top bar and covers no button', async () => {
    const { page, open, faults, close } = await administrator(stage);
    await page.setViewportSize({ width: 390, height: 844 });
    await open('/settings');
    const toggle = page.getByRole('switch', { name: /can book and cancel/ });
    await toggle.scrollIntoViewIfNeeded();
    await toggle.click({ force: true });
    const toast = page.getByRole('alert').filter({ hasText: 'Saved.' });
    await toast.waitFor();
    const box = (await toast.boundingBox())!;
    expect(box.y).toBeGreaterThan(52);
    expect(box.y + box.height).toBeLessThan(200);
    expect([box.x > 0, box.x + box.width < 390]).toEqual([true, true]);
    expect(faults).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await close();
  });
});
