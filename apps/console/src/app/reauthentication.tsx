import { Button, Divider, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { browserSupportsWebAuthn, startAuthentication } from '@simplewebauthn/browser';
import { IconFingerprint } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useClient } from 'urql';
import { type Failure, failureOf } from '../graphql/failure.ts';
import { provideProof } from '../graphql/fresh-proof.ts';
import { graphql, type Json } from '../graphql/graphql.ts';
import { passkeyProblem } from '../graphql/passkey-failure.ts';
import { onProofReturned } from '../graphql/proof-tab.ts';
import { loadSession } from '../session/session.ts';
import { FailureNote } from '../ui/failure-note.tsx';

const Begin = graphql(`mutation BeginReauthentication { beginPasskeySignIn }`);
const Reauthenticate = graphql(`
  mutation Reauthenticate($input: ReauthenticateInput!) { reauthenticate(input: $input) }
`);

const AtProvider = graphql(`mutation ReauthenticateWithProvider { reauthenticateWithProvider { url } }`);

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** Asks for the password or a passkey when the service requires recent authentication, then repeats the request. */
export function Reauthentication() {
  const client = useClient();
  const [opened, setOpened] = useState(false);
  const [hasAccount, setHasAccount] = useState(true);
  const [address, setAddress] = useState<string | null>(null);
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const answer = useRef<(proven: boolean) => void>(undefined);
  useEffect(
    () =>
      provideProof(() => {
        setPassword('');
        setFailure(undefined);
        setAddress(null);
        void loadSession().then((session) => setHasAccount(session?.me.hasAccount ?? true));
        setOpened(true);
        return new Promise((resolve) => {
          answer.current = resolve;
        });
      }),
    [],
  );
  const close = (proven: boolean) => {
    setOpened(false);
    answer.current?.(proven);
  };
  const prove = async (input: { password: string } | { response: Json }) => {
    const { error } = await client.mutation(Reauthenticate, { input }).toPromise();
    if (!error) close(true);
    return failureOf(error);
  };
  const withPasskey = async () => {
    const begun = await client.mutation(Begin, {}).toPromise();
    if (!begun.data) return failureOf(begun.error);
    const optionsJSON = begun.data.beginPasskeySignIn as unknown as Options;
    return prove({ response: (await startAuthentication({ optionsJSON })) as unknown as Json });
  };
  const run = async (proving: () => Promise<Failure | undefined>) => {
    setBusy(true);
    setFailure(undefined);
    setFailure(await proving().catch(passkeyProblem));
    setBusy(false);
  };
  const atProvider = async () => {
    const { data, error } = await client.mutation(AtProvider, {}).toPromise();
    if (!data) return failureOf(error);
    const { url } = data.reauthenticateWithProvider;
    const tab = window.open(url, '_blank');
    // The provider's page must not reach the console.
    if (tab) tab.opener = null;
    setAddress(url);
    return undefined;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: one listener for each sign-in
  useEffect(() => {
    if (address === null) return undefined;
    return onProofReturned((isProven) => {
      if (isProven) close(true);
      else setAddress(null);
    });
  }, [address]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    void run(() => prove({ password }));
  };
  return (
    <Modal opened={opened} onClose={() => close(false)} title="Confirm that it's you" zIndex={400}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">Your last sign-in is more than five minutes old.</Text>
          <FailureNote failure={failure && wordsFor(failure)} />
          {hasAccount ? (
            <>
              <PasswordInput
                label="Your password"
                autoComplete="current-password"
                data-autofocus
                value={password}
                onChange={({ currentTarget }) => setPassword(currentTarget.value)}
              />
              <Button type="submit" loading={busy} disabled={!password}>
                Confirm
              </Button>
            </>
          ) : (
            <AtProviderButton address={address} busy={busy} onClick={() => void run(atProvider)} />
          )}
          {browserSupportsWebAuthn() && (
            <>
              <Divider label="or" />
              <Button
                variant="default"
                leftSection={<IconFingerprint size={16} />}
                loading={busy}
                onClick={() => void run(withPasskey)}
              >
                Use a passkey
              </Button>
            </>
          )}
        </Stack>
      </form>
    </Modal>
  );
}

interface AtProviderButtonProps {
  /** Where the sign-in goes on, once it has begun. */
  address: string | null;
  busy: boolean;
  onClick: () => void;
}

/** For a person without a password. The other tab reports when it has returned. */
function AtProviderButton({ address, busy, onClick }: AtProviderButtonProps) {
  if (address === null) {
    return (
      <Button loading={busy} onClick={onClick}>
        Sign in with your company again
      </Button>
    );
  }
  return (
    <Text size="sm" role="status">
      Sign in at your company in the{' '}
      <a href={address} target="_blank" rel="noopener">
        other tab
      </a>
      . This continues when you are back.
    </Text>
  );
}

/** There is no email field here, so the message of the service fits better. */
const wordsFor = (failure: Failure): Failure =>
  failure.code === 'INVALID_CREDENTIALS' ? { ...failure, code: 'WRONG_PROOF' } : failure;
