import type { Chain, Place, SealItem } from './seal-kind.ts';

/** Kinds differ in their request and result; inside a batch only the kind itself looks into them. */
export type AnyItem = SealItem<unknown, unknown>;

/** What became of a request: its place and result, or why it was turned away. */
export type Outcome = { place: Place | null; result: unknown } | Error;

/** A caller with what it wants sealed. */
export interface Waiting {
  item: AnyItem;
  resolve(outcome: Exclude<Outcome, Error>): void;
  reject(error: unknown): void;
}

/** Those who wait for one chain, in their order. */
export interface Queue {
  chain: Chain;
  waiting: Waiting[];
  /** Whether the chain could not be written to together with others; then it goes alone until its queue is empty. */
  alone: boolean;
}
