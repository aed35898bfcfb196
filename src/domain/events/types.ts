import { type EventData, type EventType, eventTypes } from './catalogue.ts';

export { type EventData, type EventType, eventTypes } from './catalogue.ts';

/** Something that happened in a center, to be told to whoever subscribed. */
export type EventDraft = {
  [Type in EventType]: {
    centerId: number;
    type: Type;
    data: EventData<Type>;
    /** The workflows whose doings led to it, oldest first; none when left out. */
    causes?: readonly string[];
    /** What it is a part of, as `traceparent`; what is under way where it is written when left out. */
    trace?: string;
  };
}[EventType];

/** The subscriptions that an event type answers to: itself, every prefix with a star, and the star alone. */
export function patternsFor(type: string): string[] {
  const parts = type.split('.');
  const prefixes = parts.slice(0, -1).map((_, i) => `${parts.slice(0, i + 1).join('.')}.*`);
  return [type, ...prefixes, '*'];
}

/** Everything that a subscription may name. */
export const knownPatterns: ReadonlySet<string> = new Set(eventTypes.flatMap(patternsFor));
