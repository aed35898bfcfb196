import type { Page } from 'playwright-core';

/**
 * Measures from a key press or click to the frame that shows the result, using the browser's own clock: the time of the event,
 * and the first frame after the table rows have the expected text. The time a button is held down does not count, and texts
 * are read without forcing a layout.
 */
const UNTIL_PAINTED = `({ table, becomes }) => new Promise((resolve, reject) => {
  // Times go on by themselves.
  const lasting = (row) => [...row.cells].filter((cell) => !cell.querySelector('time')).map((cell) => cell.textContent).join(' ');
  const rows = () => [...document.querySelectorAll('table[aria-label="' + table + '"] tbody tr')].map(lasting);
  const fits = new Function('rows', 'before', 'return ' + becomes);
  const before = rows();
  let pressed;
  const press = ({ timeStamp }) => { pressed ??= timeStamp; };
  addEventListener('keydown', press, { capture: true, once: true });
  addEventListener('pointerup', press, { capture: true, once: true });
  const look = () => {
    if (pressed === undefined || !fits(rows(), before)) return;
    watcher.disconnect();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now() - pressed);
      port2.postMessage(null);
    });
  };
  setTimeout(() => reject(new Error('nothing came of it in ' + table)), 15_000);
  const watcher = new MutationObserver(look);
  watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
})`;

export interface Interaction {
  /** The name of the table that shows the result. */
  table: string;
  /** An expression over the texts of its rows, `rows`, and the earlier ones, `before`: true once the result is visible. */
  becomes: string;
  /** One key press or click. */
  press: () => Promise<unknown>;
}

/** Milliseconds from the press to the frame. */
export async function timeOf(page: Page, { table, becomes, press }: Interaction): Promise<number> {
  const told = page.evaluate(`(${UNTIL_PAINTED})(${JSON.stringify({ table, becomes })})`) as Promise<number>;
  await press();
  return told;
}
