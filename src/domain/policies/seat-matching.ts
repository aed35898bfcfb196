// Which seats an approver can take so that the others can still be filled: a matching between the open seats of a quorum and
// the members who can fill them.
//
// A person who fits two seats may be the only one who fits one of them. Then they take that seat, and never the other. The size
// of the largest matching follows from the deficiency form of Hall's theorem: for each set of seats, no more can be filled than
// the places outside the set, and the people who fit a seat inside it; the smallest of these sums is reached. A quorum has at
// most five seats, so this adds up 32 sets.
import { normalId } from '@countersign/proof-kit/approver-id';
import type { SeatState } from '@countersign/proof-kit/quorum';
import type { SeatPerson } from '../memberships/approval-rights.ts';

/** The open seats of one quorum, and who can still fill them. */
export interface SeatMarket {
  seats: readonly SeatState[];
  people: readonly SeatPerson[];
  /** Whether the person may fill the seat, apart from the authentication. */
  fits: (person: SeatPerson, seat: SeatState) => boolean;
}

interface Weight {
  /** How many seats fewer can be filled in the end than without this choice. 0 for the best choice. */
  loss: number;
  /** Whether the quorum could be completed, and no longer can after this choice. */
  blocks: boolean;
}

/** An API key can assert any person for these, so they never lack people. */
const isAssertable = ({ group, authentication }: SeatState) =>
  group === null && authentication === 'ASSERTED';

/** More than the places of a quorum. */
const SEATS_FOR_MEMBERS = 64;

/** Returns what it costs that the given people approve in a seat and can fill no other one. */
export function seatWeights({ seats, people, fits }: SeatMarket) {
  const masks = new Map<string, number>();
  for (const person of people) {
    const mask = seats.reduce((bits, seat, i) => {
      const isAble = seat.authentication !== 'SIGNED' || person.canSign;
      return isAble && fits(person, seat) ? bits | (1 << i) : bits;
    }, 0);
    masks.set(normalId(person.actorId), mask);
  }
  const places = seats.map(({ count, filledBy }) => count - filledBy.length);
  const strictly = (of: readonly number[]) => of.map((count, i) => (isAssertable(seats[i]!) ? 0 : count));
  const everyone = tally(masks.values());
  const before = { strict: mostFilled(strictly(places), everyone), all: mostFilled(places, everyone) };
  const canComplete = before.strict === sum(strictly(places));
  return (taken: SeatState, approvers: readonly string[]): Weight => {
    const gone = new Set(approvers.map(normalId));
    const rest = tally([...masks].filter(([id]) => !gone.has(id)).map(([, mask]) => mask));
    const left = places.map((count, i) => (seats[i]!.index === taken.index ? count - 1 : count));
    const strict = before.strict - mostFilled(strictly(left), rest) - (isAssertable(taken) ? 0 : 1);
    const all = before.all - mostFilled(left, rest) - 1;
    return { loss: strict * SEATS_FOR_MEMBERS + all, blocks: canComplete && strict > 0 };
  };
}

/** The number of people for each set of seats that they fit, a bit for each seat. */
export function tally(masks: Iterable<number>): Map<number, number> {
  const counts = new Map<number, number>();
  for (const mask of masks) counts.set(mask, (counts.get(mask) ?? 0) + 1);
  return counts;
}

/** How many places different people can fill: the size of the largest matching. */
export function mostFilled(places: readonly number[], people: ReadonlyMap<number, number>): number {
  let most = Number.POSITIVE_INFINITY;
  for (let set = 0; set < 1 << places.length; set++) {
    let bound = sum(places.filter((_, i) => (set & (1 << i)) === 0));
    for (const [mask, count] of people) if ((mask & set) !== 0) bound += count;
    most = Math.min(most, bound);
  }
  return most;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
