/** Yields the items of a source until the signal; then ends normally and closes the source. */
export async function* takeUntil<T>(source: AsyncIterable<T>, moment: Promise<unknown>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  const over = moment.then(() => ({ done: true, value: undefined }) as const);
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), over]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: the source may itself be waiting.
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
