/** A tab that nobody looks at paints nothing, and a busy one must not be kept waiting for ever. */
const AT_MOST_MS = 100;

/** Not every browser says when it has nothing to do. */
const whenIdle = (then: () => void) =>
  'requestIdleCallback' in globalThis
    ? requestIdleCallback(then, { timeout: AT_MOST_MS })
    : setTimeout(then, 0);

/** Once the browser has painted what is there now, and whoever waited for that has had their turn. */
export const picture = () =>
  new Promise<void>((resolve) => {
    const soon = setTimeout(resolve, AT_MOST_MS);
    requestAnimationFrame(() =>
      whenIdle(() => {
        clearTimeout(soon);
        resolve();
      }),
    );
  });
