/** Repeats a statement that takes so many rows at most until it finds fewer; answers how many it took in all. */
export async function inBatches(
  most: number,
  take: () => Promise<{ rowCount: number | null }>,
): Promise<number> {
  for (let taken = 0; ; ) {
    const { rowCount } = await take();
    taken += rowCount ?? 0;
    if ((rowCount ?? 0) < most) return taken;
  }
}
