import type { Failure } from './failure.ts';

const asFailure = (message: string): Failure => ({
  code: 'PASSKEY',
  message,
  details: undefined,
  retryAfter: undefined,
});

/** Why the browser did not use a passkey; nothing if the user canceled. */
export function passkeyProblem(error: unknown): Failure | undefined {
  const { name, cause } = error as { name?: string; cause?: { name?: string } };
  switch (cause?.name ?? name) {
    case 'AbortError':
      return undefined;
    case 'NotAllowedError':
      return asFailure(
        'The passkey was not used. The request was canceled, or no passkey is available for this site.',
      );
    case 'InvalidStateError':
      return asFailure('This device already has a passkey for your account.');
    case 'SecurityError':
      return asFailure('Passkeys work only at the configured address of this service.');
    default:
      return asFailure('This browser could not use a passkey. Try another device, or your password.');
  }
}
