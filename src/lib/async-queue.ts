/** Values that a producer pushes and a consumer reads as they arrive. */
export interface AsyncQueue<T> extends AsyncIterableIterator<T> {
  push(value: T): void;
  /** Closes the queue; values already in it are still read. */
  end(): void;
  return(): Promise<IteratorResult<T>>;
}

interface AsyncQueueOptions {
  /** How many values may wait. A consumer that falls further behind is cut off, so it cannot fill the memory. */
  limit: number;
  /** Called once, when the queue accepts no more values. */
  onClose(): void;
}

/** Accepts values as soon as it is created, even before there is a consumer. */
export function makeAsyncQueue<T>({ limit, onClose }: AsyncQueueOptions): AsyncQueue<T> {
  const values: T[] = [];
  const readers: ((result: IteratorResult<T>) => void)[] = [];
  const done: IteratorResult<T> = { done: true, value: undefined };
  let open = true;

  function end() {
    if (!open) return;
    open = false;
    for (const read of readers.splice(0)) read(done);
    onClose();
  }

  return {
    push(value) {
      if (!open) return;
      const read = readers.shift();
      if (read) read({ done: false, value });
      else if (values.length < limit) values.push(value);
      else {
        values.length = 0;
        end();
      }
    },
    end,
    next() {
      if (values.length > 0) return Promise.resolve({ done: false, value: values.shift()! });
      if (!open) return Promise.resolve(done);
      return new Promise((resolve) => readers.push(resolve));
    },
    async return() {
      values.length = 0;
      end();
      return done;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
