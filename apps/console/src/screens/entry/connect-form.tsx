import { Alert, Button, Divider, PasswordInput, Stack } from '@mantine/core';
import { browserSupportsWebAuthn, startAuthentication } from '@simplewebauthn/browser';
import { IconFingerprint, IconMail } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useClient } from 'urql';
import { type Failure, failureOf } from '../../graphql/failure.ts';
import { graphql, type Json } from '../../graphql/graphql.ts';
import { passkeyProblem } from '../../graphql/passkey-failure.ts';
import { landingPath, safeNext } from '../../session/landing.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { mailedToken } from './mailed-token.ts';

const Confirm = graphql(`
  mutation ConfirmIdentity($input: ConfirmIdentityInput!) {
    confirmIdentity(input: $input) { landing { kind centerDomain } }
  }
`);
const Begin = graphql(`mutation BeginIdentityProof { beginPasskeySignIn }`);
const MailLink = graphql(`mutation MailIdentityLink { mailIdentityLink }`);

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];
type Proof = { password: string } | { response: Json } | { token: string };

interface ConnectFormProps {
  of: { email: string | null; hasAccount: boolean; next: string | null };
  /** The sign-in no longer waits. */
  onExpired: () => void;
}

/** The ways to prove a profile: its password, one of its passkeys, or a link mailed to its address. */
export function ConnectForm({ of: { email, hasAccount, next }, onExpired }: ConnectFormProps) {
  const client = useClient();
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState<'proof' | 'passkey' | 'mail' | null>(null);
  const [failure, setFailure] = useState<Failure>();
  const [isMailed, setIsMailed] = useState(false);
  const prove = async (input: Proof) => {
    const { data, error } = await client.mutation(Confirm, { input }).toPromise();
    if (data) location.assign(safeNext(next ?? undefined) ?? landingPath(data.confirmIdentity.landing!));
    const failed = failureOf(error);
    if (failed?.code === 'UNAUTHORIZED') onExpired();
    return failed;
  };
  const withPasskey = async () => {
    const begun = await client.mutation(Begin, {}).toPromise();
    if (!begun.data) return failureOf(begun.error);
    const optionsJSON = begun.data.beginPasskeySignIn as unknown as Options;
    return prove({ response: (await startAuthentication({ optionsJSON })) as unknown as Json });
  };
  const mail = async () => {
    const { error } = await client.mutation(MailLink, {}).toPromise();
    setIsMailed(!error);
    return failureOf(error);
  };
  const run = async (what: NonNullable<typeof busy>, act: () => Promise<Failure | undefined>) => {
    setBusy(what);
    setFailure(undefined);
    setFailure(await act().catch(passkeyProblem));
    setBusy(null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run('proof', () => prove({ password }));
  };
  if (mailedToken) {
    return (
      <Stack>
        <FailureNote failure={failure && wordsFor(failure)} />
        <Button
          size="md"
          loading={busy === 'proof'}
          onClick={() => void run('proof', () => prove({ token: mailedToken! }))}
        >
          Connect this profile
        </Button>
      </Stack>
    );
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FailureNote failure={failure && wordsFor(failure)} />
        {isMailed && (
          <Alert role="status" color="seal" icon={<IconMail size={18} />} title="Check your email">
            If the profile can be proven by mail, a link is on its way to {email}. Open it in this browser,
            within ten minutes after you signed in.
          </Alert>
        )}
        {hasAccount && (
          <>
            <PasswordInput
              label="Password of this profile"
              autoComplete="current-password"
              size="md"
              value={password}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            />
            <Button type="submit" size="md" loading={busy === 'proof'} disabled={!password}>
              Connect this profile
            </Button>
            <Divider label="or" />
          </>
        )}
        {browserSupportsWebAuthn() && (
          <Button
            variant="default"
            size="md"
            leftSection={<IconFingerprint size={18} />}
            loading={busy === 'passkey'}
            onClick={() => void run('passkey', withPasskey)}
          >
            Use a passkey
          </Button>
        )}
        {email !== null && (
          <Button
            variant="default"
            size="md"
            leftSection={<IconMail size={18} />}
            loading={busy === 'mail'}
            onClick={() => void run('mail', mail)}
          >
            Email me a link
          </Button>
        )}
      </Stack>
    </form>
  );
}

/** There is no email field here, so the message of the service fits better. */
const wordsFor = (failure: Failure): Failure =>
  failure.code === 'INVALID_CREDENTIALS' ? { ...failure, code: 'WRONG_PROOF' } : failure;
