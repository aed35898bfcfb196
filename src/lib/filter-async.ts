/**
 * The values that pass the test. Unlike a generator, it ends at once when the consumer stops, even while it waits for the next
 * value.
 */
export function filterAsync<T>(
  values: AsyncIterableIterator<T> & { return(): Promise<IteratorResult<T>> },
  test: (value: T) => Promise<boolean>,
): AsyncIterableIterator<T> {
  return {
    async next() {
      for (;;) {
        const result = await values.next();
        if (result.done || (await test(result.value))) return result;
      }
    },
    return: () => values.return(),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
