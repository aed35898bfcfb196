import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useSyncExternalStore } from 'react';
import { discardDraft } from '../../browser/use-draft.ts';
import { type Failure, failureMessage } from '../../graphql/failure.ts';
import { beforeLeavingCenter } from '../../session/session.ts';
import { type Decision, forgetDecision, rememberDecision } from './left-decisions.ts';

/** A decision of the signed-in user. */
export interface MadeDecision {
  result: Decision['result'];
  /** Held: it can be undone and nothing was sent yet. */
  phase: 'held' | 'sending' | 'sent';
}

interface HeldDecision extends Decision {
  send: () => Promise<Failure | undefined>;
}

/** How long a decision without a passkey can be undone. */
export const UNDO_SECONDS = 5;

let made: ReadonlyMap<string, MadeDecision> = new Map();
let failed: ReadonlyMap<string, Failure> = new Map();
const watchers = new Set<() => void>();
/** Requests whose form is on the screen: it shows why its decision was not sent. */
const forms = new Set<string>();
const held = new Map<string, { timer: number; go: () => Promise<void> }>();

function note(eventId: string, next: MadeDecision | null, failure?: Failure): void {
  made = withEntry(made, eventId, next);
  failed = withEntry(failed, eventId, failure);
  for (const changed of watchers) changed();
}

function withEntry<T>(all: ReadonlyMap<string, T>, key: string, value: T | null | undefined) {
  const copy = new Map(all);
  if (value) copy.set(key, value);
  else copy.delete(key);
  return copy;
}

const watch = (changed: () => void) => {
  watchers.add(changed);
  return () => void watchers.delete(changed);
};

/** All decisions made since the console was loaded, by the id of the request. */
export const useDecisionsMade = () => useSyncExternalStore(watch, () => made);

/** Why the last decision of this form was not made. */
export function useSendFailure(eventId: string): Failure | undefined {
  useEffect(() => {
    forms.add(eventId);
    return () => void forms.delete(eventId);
  }, [eventId]);
  return useSyncExternalStore(watch, () => failed).get(eventId);
}

/** The name of the draft of a reason. */
export const reasonDraft = (eventId: string) => `reason ${eventId}`;

const toastOf = (eventId: string) => `decision-${eventId}`;
const verbs = { approved: 'Approved', rejected: 'Rejected' };

/** A toast with the decision and a link to it. */
export function announceDecision({ eventId, headline, href, result }: Decision): void {
  note(eventId, { result, phase: 'sent' });
  discardDraft(reasonDraft(eventId));
  notifications.show({
    color: result === 'approved' ? 'green' : 'gray',
    autoClose: 8_000,
    message: (
      <>
        {verbs[result]}: {headline}. <a href={href}>Show the decision</a>
      </>
    ),
  });
}

/** Sends a decision after the time in which it can be undone. Leaving the page sends it immediately. */
export function holdDecision({ send, ...decision }: HeldDecision): void {
  const { eventId, headline, result } = decision;
  const go = async () => {
    stop(eventId);
    note(eventId, { result, phase: 'sending' });
    const failure = await send();
    // A page that is being left cannot tell the person any more: the next page does.
    if (!isLeaving) forgetDecision(eventId);
    notifications.hide(toastOf(eventId));
    if (!failure) return announceDecision(decision);
    note(eventId, null, failure);
    if (!forms.has(eventId)) announceFailure(headline, failureMessage(failure));
  };
  rememberDecision(decision);
  held.set(eventId, { timer: window.setTimeout(() => void go(), UNDO_SECONDS * 1_000), go });
  note(eventId, { result, phase: 'held' });
  notifications.show({
    id: toastOf(eventId),
    autoClose: false,
    withCloseButton: false,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span>
          {verbs[result]}: {headline}
        </span>
        <Button size="compact-sm" variant="default" onClick={() => undoDecision(eventId)}>
          Undo
        </Button>
      </Group>
    ),
  });
}

const announceFailure = (headline: string, message: string) =>
  notifications.show({ color: 'red', autoClose: 10_000, title: `Not decided: ${headline}`, message });

export function undoDecision(eventId: string): void {
  if (!held.has(eventId)) return;
  stop(eventId);
  forgetDecision(eventId);
  note(eventId, null);
  notifications.hide(toastOf(eventId));
}

function stop(eventId: string): void {
  window.clearTimeout(held.get(eventId)?.timer);
  held.delete(eventId);
}

/** What the screen shows about a decision of the page that was left. */
export const leftOutcome = {
  onChecking: ({ eventId, result }: Decision) => note(eventId, { result, phase: 'sending' }),
  onRecorded: announceDecision,
  onUnknown: ({ eventId }: Decision) => note(eventId, null),
  onLost({ eventId, headline }: Decision) {
    note(eventId, null);
    announceFailure(headline, 'Your decision was not recorded when you left the page. Decide again.');
  },
};

const sendAllNow = () => Promise.all([...held.values()].map(({ go }) => go()));

let isLeaving = false;

window.addEventListener('pagehide', () => {
  isLeaving = true;
  void sendAllNow();
});
window.addEventListener('pageshow', () => {
  isLeaving = false;
});
beforeLeavingCenter(sendAllNow);
