import { useEffect } from 'react';
import { type Client, useClient } from 'urql';
import { draftKey, readDraft, writeDraft } from '../../browser/drafts.ts';
import { graphql } from '../../graphql/graphql.ts';
import { useSession } from '../../session/session-context.ts';

/** A decision of the signed-in user about a request. */
export interface Decision {
  eventId: string;
  headline: string;
  /** The page of the decision. */
  href: string;
  result: 'approved' | 'rejected';
}

/**
 * Decisions that were not confirmed yet, kept in this tab. Leaving the page sends a held decision, but the page is gone before the service
 * answers. The next page reads what became of it and tells the person.
 */
const NAME = 'decisions under way';
const ATTEMPTS = 5;
const BETWEEN_ATTEMPTS_MS = 700;

const stored = (): Record<string, Decision> => readDraft(draftKey(NAME), {}) ?? {};

export function rememberDecision(decision: Decision): void {
  writeDraft(draftKey(NAME), { ...stored(), [decision.eventId]: decision }, {});
}

export function forgetDecision(eventId: string): void {
  const { [eventId]: _, ...others } = stored();
  writeDraft(draftKey(NAME), others, {});
}

const BecameOf = graphql(`
  query BecameOf($id: ID!) { decisionEvent(id: $id) { id approvals { result approver { id } } } }
`);

/** Whether the approval or rejection of this person was recorded; undefined if the request cannot be read. */
async function wasRecorded(client: Client, { eventId, result }: Decision, me: string) {
  for (let attempt = 1; ; attempt++) {
    const read = client.query(BecameOf, { id: eventId }, { requestPolicy: 'network-only' });
    const { data } = await read.toPromise();
    if (!data) return undefined;
    const isMine = data.decisionEvent.approvals.some(
      (each) => each.approver.id === me && each.result === result,
    );
    if (isMine || attempt === ATTEMPTS) return isMine;
    // The page that was left may still be sending.
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_ATTEMPTS_MS));
  }
}

interface Outcome {
  onChecking: (decision: Decision) => void;
  onRecorded: (decision: Decision) => void;
  onLost: (decision: Decision) => void;
  onUnknown: (decision: Decision) => void;
}

/** Tells once what became of the decisions of the page that was left. */
export function useLeftDecisions(outcome: Outcome): void {
  const client = useClient();
  const { me } = useSession();
  useEffect(() => {
    for (const decision of Object.values(takeLeft())) {
      outcome.onChecking(decision);
      void wasRecorded(client, decision, me.actorId).then((recorded) => {
        forgetDecision(decision.eventId);
        if (recorded === undefined) outcome.onUnknown(decision);
        else if (recorded) outcome.onRecorded(decision);
        else outcome.onLost(decision);
      });
    }
  }, [client, me.actorId, outcome]);
}

let taken = false;

/** Those of the page that was left: what is remembered later is under way in this page. */
function takeLeft(): Record<string, Decision> {
  if (taken) return {};
  taken = true;
  return stored();
}
