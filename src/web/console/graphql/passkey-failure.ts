import type { Failure } from './failure.ts';

const asFailure = (message: string): Failure => ({
  code: 'PASSKEY',
  message,
  details: undefined,
  retryAfter: undefined,
});

/** Why the browser did not use a passkey, in words; nothing when the person changed their mind. */
export function passkeyProblem(error: unknown): Failure | undefined {
  const { name, cause } = error as { name?: string; cause?: { name?: string } };
  switch (cause?.name ?? name) {
    case 'AbortError':
      return undefined;
    case 'NotAllowedError':
      return asFailure('The passkey was not used: the request was cancelled, or no passkey fits here.');
    case 'InvalidStateError':
      return asFailure('This device has a passkey for your account already.');
    case 'SecurityError':
      return asFailure('Passkeys work only at the address that the service was set up for.');
    default:
      return asFailure('This browser could not use a passkey. Try another device, or your password.');
  }
}
