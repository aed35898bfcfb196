/** The items of a source until the moment comes; then it ends as if there were no more, and the source is let go. */
export async function* until<T>(source: AsyncIterable<T>, moment: Promise<unknown>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  const over = moment.then(() => ({ done: true, value: undefined }) as const);
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), over]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not waited for: it may be in the middle of waiting itself.
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
