import { expect, test } from 'vitest';
import { makeOutboundSlots, type OutboundSlot } from '../../src/lib/outbound/slots.ts';

type Slots = ReturnType<typeof makeOutboundSlots>;

const callTo = (centerId: number, endpoint: string, host = `${endpoint}.example`) => ({
  centerId,
  endpoint,
  host,
});

/** Enters until it is deferred. */
function fill(slots: Slots, next: (i: number) => ReturnType<typeof callTo>): OutboundSlot[] {
  const entered: OutboundSlot[] = [];
  for (;;) {
    const slot = slots.enter(next(entered.length));
    if (typeof slot === 'number') return entered;
    entered.push(slot);
  }
}

/** Marks the endpoint as fast or slow. */
function called(slots: Slots, call: ReturnType<typeof callTo>, durationMs: number): void {
  (slots.enter(call) as OutboundSlot).leave(durationMs);
}

test('new endpoints get a quarter of the slots per center and leave a quarter free', () => {
  const slots = makeOutboundSlots(16);
  for (const center of [1, 2, 3, 4]) {
    // The fourth finds three quarters taken: it gets the one call that every center may have.
    expect(fill(slots, (i) => callTo(center, `${center}-${i}`))).toHaveLength(center < 4 ? 4 : 1);
  }
  const prompt = callTo(5, 'prompt');
  called(slots, prompt, 10);
  expect(fill(slots, () => prompt)).toHaveLength(3);
});

test('a host gets a quarter of the slots, whatever its number of endpoints and centers', () => {
  const slots = makeOutboundSlots(16);
  expect(fill(slots, (i) => callTo(1, `${i}`, 'one.example'))).toHaveLength(4);
  expect(fill(slots, (i) => callTo(2, `${i}`, 'one.example'))).toHaveLength(1);
  expect(fill(slots, (i) => callTo(2, `${i}`, 'other.example'))).toHaveLength(3);
});

test('endpoints that timed out share a quarter of the slots until they respond again', () => {
  const slots = makeOutboundSlots(32);
  for (const center of [1, 2, 3])
    for (let i = 0; i < 8; i++) called(slots, callTo(center, `${center}-${i}`), 5_000);
  const first = fill(slots, (i) => callTo(1, `1-${i}`));
  expect(first).toHaveLength(8);
  expect(fill(slots, (i) => callTo(2, `2-${i}`))).toHaveLength(1);
  expect(fill(slots, (i) => callTo(2, `new-${i}`))).toHaveLength(7);
  for (const slot of first) slot.leave(20);
  expect(fill(slots, (i) => callTo(1, `1-${i % 8}`))).toHaveLength(8);
});

test('a center alone can use every slot for responsive endpoints, and its deferred calls follow soon', () => {
  const slots = makeOutboundSlots(16);
  const prompt = callTo(1, 'prompt');
  called(slots, prompt, 10);
  expect(fill(slots, () => prompt)).toHaveLength(16);
  const delays = [1, 2, 3].map(() => slots.enter(prompt) as number);
  expect(delays[0]).toBeGreaterThanOrEqual(500);
  expect(delays[2]!).toBeGreaterThan(delays[0]!);
  expect(delays[2]!).toBeLessThan(1_000);
});

test('deferred calls to slow endpoints are spread over the expected duration of earlier calls', () => {
  const slots = makeOutboundSlots(16);
  const slow = callTo(1, 'slow');
  called(slots, slow, 10_000);
  fill(slots, () => slow);
  const slowDelays = Array.from({ length: 500 }, () => slots.enter(slow) as number);
  expect(slowDelays[2]! - slowDelays[0]!).toBeGreaterThan(1_000);
  expect(Math.max(...slowDelays)).toBeLessThanOrEqual(30_000);
});
