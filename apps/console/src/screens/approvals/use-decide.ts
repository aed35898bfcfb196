import { startAuthentication } from '@simplewebauthn/browser';
import { useState } from 'react';
import { type Client, useClient } from 'urql';
import { type Failure, failureOf } from '../../graphql/failure.ts';
import type { Json } from '../../graphql/graphql.ts';
import { passkeyProblem } from '../../graphql/passkey-failure.ts';
import { useCenter } from '../../session/session-context.ts';
import { headlineOf } from '../../text/labels.ts';
import { announceDecision, holdDecision } from './decisions-made.tsx';
import { Approve, Prepare, type Request } from './requests.ts';

interface Answer {
  result: 'approved' | 'rejected';
  reason: string | undefined;
  /** With a passkey: the signature covers this decision and its reason. */
  signed: boolean;
}

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** The request outlives the page, so that leaving it does not lose the decision. */
const outlivesPage = { fetchOptions: { keepalive: true } };

/** Sends one answer. Signing asks for the passkey and throws if the user cancels. */
export async function sendAnswer(
  client: Client,
  eventId: string,
  { result, reason, signed }: Answer,
): Promise<Failure | undefined> {
  const answer = { eventId, result, reason };
  if (!signed) {
    const { error } = await client.mutation(Approve, { input: answer }, outlivesPage).toPromise();
    return failureOf(error);
  }
  const prepared = await client.mutation(Prepare, { input: answer }).toPromise();
  if (!prepared.data) return failureOf(prepared.error);
  const { approvalId, options } = prepared.data.prepareApproval;
  const assertion = await startAuthentication({ optionsJSON: options as unknown as Options });
  const input = { ...answer, approvalId, assertion: assertion as unknown as Json };
  return failureOf((await client.mutation(Approve, { input }).toPromise()).error);
}

/** Sends decisions about one request: a signed one immediately, any other after the time in which it can be undone. */
export function useDecide({ id: eventId, action }: Pick<Request, 'id' | 'action'>) {
  const client = useClient();
  const { centerDomain } = useCenter();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const send = (answer: Answer) => sendAnswer(client, eventId, answer);
  const decide = async (answer: Answer): Promise<void> => {
    setFailure(undefined);
    const href = `/c/${centerDomain}/decisions/${eventId}`;
    const decision = { eventId, headline: headlineOf(action), href, result: answer.result };
    if (!answer.signed) return holdDecision({ ...decision, send: () => send(answer) });
    setBusy(true);
    try {
      const failed = await send(answer);
      setFailure(failed);
      if (!failed) announceDecision(decision);
    } catch (error) {
      setFailure(passkeyProblem(error));
    } finally {
      setBusy(false);
    }
  };
  return { decide, busy, failure };
}
