/** A place in a list, as encoded in the address. */
export interface Place {
  after?: string | undefined;
  before?: string | undefined;
}

/** The variables that read one page: forth from a place, back from one, or the first. */
export const pageOf = (size: number, { after, before }: Place) =>
  before ? { last: size, before } : { first: size, after };
