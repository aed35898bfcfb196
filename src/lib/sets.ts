/** The members of one set that are not in the other. */
export const difference = <T>(all: ReadonlySet<T>, without: ReadonlySet<T>): Set<T> =>
  new Set([...all].filter((each) => !without.has(each)));
