/** When the witnesses saw a record. Their clocks differ, so a time counts only if the quorum stands behind it. */
import { type Cosigned, quorumOf, type Trust } from './trust.ts';

/** How much earlier than a record's time a cosignature may be, to allow for clock differences. */
const TOLERANCE_MS = 5 * 60_000;

export interface WitnessTimes {
  /** The time by which the quorum had cosigned, whatever their clocks; null without a cosignature. */
  quorumAt: number | null;
  /** The witnesses whose clocks fit the record's time. */
  counted: readonly Cosigned[];
  /** The time by which the quorum of these had cosigned. */
  existedBy: number | null;
  /** The names of the others. */
  off: readonly string[];
}

export const UNWITNESSED: WitnessTimes = { quorumAt: null, counted: [], existedBy: null, off: [] };

/** Null if the record claims to be younger than its quorum of cosignatures. */
export function witnessTimes(
  cosigned: readonly Cosigned[],
  timestamp: string,
  trust: Trust,
): WitnessTimes | null {
  const quorumAt = timeOfQuorum(cosigned, trust);
  if (quorumAt === null) return UNWITNESSED;
  const earliest = Date.parse(timestamp) - TOLERANCE_MS;
  if (quorumAt < earliest) return null;
  const counted = cosigned.filter(({ at }) => at >= earliest);
  const off = cosigned.filter(({ at }) => at < earliest).map(({ name }) => name);
  return { quorumAt, counted, existedBy: timeOfQuorum(counted, trust), off };
}

/** The q-th earliest cosignature, q being the quorum and at least 1; the last one if there are fewer. */
function timeOfQuorum(cosigned: readonly Cosigned[], trust: Trust): number | null {
  const times = cosigned.map(({ at }) => at).sort((a, b) => a - b);
  return times[Math.min(Math.max(quorumOf(trust), 1), times.length) - 1] ?? null;
}
