/** Values that one side pushes and the other reads as they come. */
export interface AsyncQueue<T> extends AsyncIterableIterator<T> {
  push(value: T): void;
  /** No more will come; what waits is still read. */
  end(): void;
  return(): Promise<IteratorResult<T>>;
}

interface AsyncQueueOptions {
  /** How many values may wait. A reader that falls further behind is cut off, or a slow one would fill the memory. */
  limit: number;
  /** Called once, when nothing more is taken. */
  onClose(): void;
}

/** Takes values from the moment it is created, not only once there is a reader. */
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
