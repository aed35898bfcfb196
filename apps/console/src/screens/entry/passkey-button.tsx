import { Button } from '@mantine/core';
import { startAuthentication } from '@simplewebauthn/browser';
import { IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { useClient } from 'urql';
import { type Failure, failureOf } from '../../graphql/failure.ts';
import { graphql, type Json } from '../../graphql/graphql.ts';
import { passkeyProblem } from '../../graphql/passkey-failure.ts';
import { landingPath, safeNext } from '../../session/landing.ts';

const BeginPasskeySignIn = graphql(`mutation BeginPasskeySignIn { beginPasskeySignIn }`);
const SignInWithPasskey = graphql(`
  mutation SignInWithPasskey($input: SignInWithPasskeyInput!) {
    signInWithPasskey(input: $input) { landing { kind centerDomain } }
  }
`);

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];

interface PasskeyButtonProps {
  next: string | undefined;
  center: string | undefined;
  onFailure: (failure: Failure | undefined) => void;
}

/** Signs in without an email address: the passkey identifies the person. */
export function PasskeyButton({ next, center, onFailure }: PasskeyButtonProps) {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const run = async () => {
    const begun = await client.mutation(BeginPasskeySignIn, {}).toPromise();
    if (!begun.data) return failureOf(begun.error);
    const response = await startAuthentication({
      optionsJSON: begun.data.beginPasskeySignIn as unknown as Options,
    });
    const input = { response: response as unknown as Json, centerDomain: center };
    const done = await client.mutation(SignInWithPasskey, { input }).toPromise();
    if (done.data) location.assign(safeNext(next) ?? landingPath(done.data.signInWithPasskey.landing!));
    return failureOf(done.error);
  };
  const press = async () => {
    setBusy(true);
    onFailure(undefined);
    onFailure(await run().catch(passkeyProblem));
    setBusy(false);
  };
  return (
    <Button
      variant="default"
      size="md"
      fullWidth
      leftSection={<IconFingerprint size={18} />}
      loading={busy}
      onClick={() => void press()}
    >
      Sign in with a passkey
    </Button>
  );
}
