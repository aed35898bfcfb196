/** Asks for something under a name that stands for all that the answer depends on. */
export type Share<Result> = (name: string, ask: () => Promise<Result>) => Promise<Result>;

/**
 * Callers who want the same at the same moment get one answer. Nobody gets one that was asked for before they came:
 * whoever comes while an answer is on its way shares the next.
 */
export function makeShare<Result>(): Share<Result> {
  const next = new Map<string, Promise<Result>>();
  const underWay = new Map<string, Promise<Result>>();

  async function askInTurn(name: string, ask: () => Promise<Result>): Promise<Result> {
    // After the requests that have already arrived, which may want the same.
    await new Promise(setImmediate);
    await underWay.get(name)?.catch(() => {});
    next.delete(name);
    const answer = ask();
    underWay.set(name, answer);
    try {
      return await answer;
    } finally {
      underWay.delete(name);
    }
  }

  return (name, ask) => {
    const joined = next.get(name) ?? askInTurn(name, ask);
    next.set(name, joined);
    return joined;
  };
}
