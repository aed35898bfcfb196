/** Thrown where nothing at all may be signed any more: keys, log or their history are not what they were. */
export class SigningRefused extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'SigningRefused';
  }
}
