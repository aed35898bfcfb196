/** A call that makes no sense: the usage is shown with it. */
export class UsageError extends Error {}
