import { notifications } from '@mantine/notifications';
import { startAuthentication } from '@simplewebauthn/browser';
import { useState } from 'react';
import { useClient } from 'urql';
import { type Failure, failureOf } from '../../graphql/failure.ts';
import type { Json } from '../../graphql/graphql.ts';
import { passkeyProblem } from '../../graphql/passkey-failure.ts';
import { Approve, Prepare } from './requests.ts';

interface Answer {
  result: 'approved' | 'rejected';
  reason: string | undefined;
  /** With a passkey: the signature covers this very decision and what is said about it. */
  signed: boolean;
}

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** Says what somebody decided, in person or signed. */
export function useDecide(eventId: string) {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const send = async ({ result, reason, signed }: Answer) => {
    const said = { eventId, result, reason };
    if (!signed) return failureOf((await client.mutation(Approve, { input: said }).toPromise()).error);
    const prepared = await client.mutation(Prepare, { input: said }).toPromise();
    if (!prepared.data) return failureOf(prepared.error);
    const { approvalId, options } = prepared.data.prepareApproval;
    const assertion = await startAuthentication({ optionsJSON: options as unknown as Options });
    const input = { ...said, approvalId, assertion: assertion as unknown as Json };
    return failureOf((await client.mutation(Approve, { input }).toPromise()).error);
  };
  const decide = async (answer: Answer): Promise<boolean> => {
    setBusy(true);
    setFailure(undefined);
    let cancelled = false;
    const failed = await send(answer).catch((error: unknown) => {
      cancelled = true;
      return passkeyProblem(error);
    });
    setFailure(failed);
    setBusy(false);
    if (failed || cancelled) return false;
    notifications.show({ color: 'green', message: 'Decided, with your name under it.' });
    return true;
  };
  return { decide, busy, failure };
}
