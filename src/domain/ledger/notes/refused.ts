/** Thrown if nothing at all may be signed any more, because the keys, the log or the key history were altered. */
export class SigningRefused extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'SigningRefused';
  }
}
