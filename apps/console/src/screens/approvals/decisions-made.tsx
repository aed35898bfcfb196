import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useSyncExternalStore } from 'react';
import { type Failure, failureMessage } from '../../graphql/failure.ts';

type Result = 'approved' | 'rejected';

/** A decision of the signed-in user. */
export interface MadeDecision {
  result: Result;
  /** Held: it can be undone and nothing was sent yet. */
  phase: 'held' | 'sending' | 'sent';
}

interface Decision {
  eventId: string;
  headline: string;
  /** The page of the decision. */
  href: string;
  result: Result;
}

interface HeldDecision extends Decision {
  send: () => Promise<Failure | undefined>;
}

/** How long a decision without a passkey can be undone. */
export const UNDO_SECONDS = 5;

let made: ReadonlyMap<string, MadeDecision> = new Map();
const watchers = new Set<() => void>();
const held = new Map<string, { timer: number; go: () => void }>();

function note(eventId: string, next: MadeDecision | null): void {
  const copy = new Map(made);
  if (next) copy.set(eventId, next);
  else copy.delete(eventId);
  made = copy;
  for (const changed of watchers) changed();
}

const watch = (changed: () => void) => {
  watchers.add(changed);
  return () => void watchers.delete(changed);
};

/** All decisions made since the console was loaded, by the id of the request. */
export const useDecisionsMade = () => useSyncExternalStore(watch, () => made);

const toastOf = (eventId: string) => `decision-${eventId}`;
const verbs = { approved: 'Approved', rejected: 'Rejected' };

/** A toast with the decision and a link to it. */
export function announceDecision({ eventId, headline, href, result }: Decision): void {
  note(eventId, { result, phase: 'sent' });
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
    notifications.hide(toastOf(eventId));
    if (!failure) return announceDecision(decision);
    note(eventId, null);
    notifications.show({ color: 'red', title: `Not decided: ${headline}`, message: failureMessage(failure) });
  };
  held.set(eventId, { timer: window.setTimeout(() => void go(), UNDO_SECONDS * 1_000), go: () => void go() });
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

export function undoDecision(eventId: string): void {
  if (!held.has(eventId)) return;
  stop(eventId);
  note(eventId, null);
  notifications.hide(toastOf(eventId));
}

function stop(eventId: string): void {
  window.clearTimeout(held.get(eventId)?.timer);
  held.delete(eventId);
}

window.addEventListener('pagehide', () => {
  for (const { go } of held.values()) go();
});
