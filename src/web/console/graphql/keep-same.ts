/** The newer of two answers, with the older one's own parts wherever they are equal: what did not change need not be drawn again. */
export function keepSame<Value>(before: unknown, now: Value): Value {
  if (before === now || !isTree(before) || !isTree(now)) return now;
  if (Array.isArray(before) !== Array.isArray(now)) return now;
  const names = Object.keys(now);
  let same = names.length === Object.keys(before).length;
  const kept: Record<string, unknown> = {};
  for (const name of names) {
    kept[name] = keepSame(before[name], now[name]);
    same &&= kept[name] === before[name];
  }
  if (same) return before as Value;
  return (Array.isArray(now) ? Object.values(kept) : kept) as Value;
}

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
