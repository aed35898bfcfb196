import { type Figures, median, type Side } from './measure.ts';

export interface Comparison {
  ours: Figures;
  limit: Figures;
  /** Ours as a part of the limit. */
  ratio: number;
}

export interface Pace {
  warmupSeconds: number;
  rounds: number;
  secondsEach: number;
}

/** Measures both sides in turns, so that a drift of the machine falls on both alike. */
export async function compare(ours: Side, limit: Side, pace: Pace, onRound: (text: string) => void) {
  await ours.run(pace.warmupSeconds);
  await limit.run(pace.warmupSeconds);
  const rounds: { ours: Figures; limit: Figures }[] = [];
  for (let round = 1; round <= pace.rounds; round++) {
    onRound(`round ${round} of ${pace.rounds}`);
    // Whoever goes first changes from round to round.
    const [a, b] = round % 2 ? [ours, limit] : [limit, ours];
    const first = await a.run(pace.secondsEach);
    const second = await b.run(pace.secondsEach);
    rounds.push(round % 2 ? { ours: first, limit: second } : { ours: second, limit: first });
  }
  const result: Comparison = {
    ours: typical(rounds.map((round) => round.ours)),
    limit: typical(rounds.map((round) => round.limit)),
    ratio: median(rounds.map((round) => round.ours.rate / round.limit.rate)),
  };
  return result;
}

function typical(figures: Figures[]): Figures {
  const of = (pick: (figure: Figures) => number | undefined) => {
    const values = figures.map(pick).filter((value) => value !== undefined);
    return values.length > 0 ? median(values) : undefined;
  };
  const [p50, p99] = [of((figure) => figure.p50), of((figure) => figure.p99)];
  return {
    rate: of((figure) => figure.rate)!,
    ...(p50 !== undefined && { p50 }),
    ...(p99 !== undefined && { p99 }),
  };
}
