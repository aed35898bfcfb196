import type { Page } from 'playwright-core';

/**
 * From the press of a key or the click of a button to the picture that shows what came of it, as the browser itself tells the time:
 * the moment of the event, and the frame after the rows of the table are what they should be. How long a finger rests on the button
 * before it lets go is not the console's time, and texts are read without asking for a layout that nobody has painted yet.
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
  /** The name of the table in which it shows. */
  table: string;
  /** An expression of the texts of its rows, `rows`, and of those it had, `before`: true once it has happened. */
  becomes: string;
  /** One press. */
  press: () => Promise<unknown>;
}

/** Milliseconds from the press to the picture. */
export async function timeOf(page: Page, { table, becomes, press }: Interaction): Promise<number> {
  const told = page.evaluate(`(${UNTIL_PAINTED})(${JSON.stringify({ table, becomes })})`) as Promise<number>;
  await press();
  return told;
}
