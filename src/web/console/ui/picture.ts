/** A tab that nobody looks at paints nothing. */
const AT_MOST_MS = 100;

/** Once the browser has painted what is there now. */
export const picture = () =>
  new Promise<void>((resolve) => {
    const soon = setTimeout(resolve, AT_MOST_MS);
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        clearTimeout(soon);
        resolve();
      };
      port2.postMessage(null);
    });
  });
