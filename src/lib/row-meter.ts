import { AsyncLocalStorage } from 'node:async_hooks';

/** Counts the rows that a call reads, in bytes as the server sends them. */
export interface RowMeter {
  /** The error that ends the statement, or null if the row may be kept. */
  count(bytes: number): Error | null;
}

const current = new AsyncLocalStorage<RowMeter | null>();

/** Counts the rows of all declared statements that the work starts; null counts none. */
export const metered = <T>(meter: RowMeter | null, work: () => Promise<T>): Promise<T> =>
  // Awaited inside, because Prisma starts a query when it is awaited.
  current.run(meter, async () => await work());

/** Throws the refusal of the meter itself, where a library makes another error of it. */
export async function throwingRefusals<T>(work: () => Promise<T>): Promise<T> {
  const meter = currentMeter();
  if (!meter) return work();
  let refusal: Error | null = null;
  const count = (bytes: number) => (refusal = meter.count(bytes) ?? refusal);
  return metered({ count }, work).catch((error: unknown) => {
    throw refusal ?? error;
  });
}

export const currentMeter = (): RowMeter | null => current.getStore() ?? null;
