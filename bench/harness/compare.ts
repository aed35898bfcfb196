import { type Figures, median, type Side } from './measure.ts';
import type { ComparisonResult } from './results.ts';
import type { Pace, Scenario } from './scenario.ts';
import type { Stage } from './stage.ts';
import { watchStolen } from './stolen.ts';

const USUAL: Pace = { warmupSeconds: 2, rounds: 3, secondsEach: 3 };

/** Measures the service and its limits in turns, so that changes in machine speed affect all of them equally. */
export async function compare(
  scenario: Scenario,
  stage: Stage,
  say: (text: string) => void,
): Promise<ComparisonResult> {
  const { name, title, unit, target, p99TargetMs } = scenario;
  const { warmupSeconds, rounds, secondsEach } = { ...USUAL, ...scenario.pace };
  const { ours, limit, ceiling } = await scenario.prepare(stage);
  const sides: Side[] = ceiling ? [ours, limit, ceiling.side] : [ours, limit];
  say('warming up');
  // Limits are small programs, which warm up in half the time.
  for (const side of sides) await side.run(side === ours ? warmupSeconds : warmupSeconds / 2);
  const stolenSince = watchStolen();
  const measured: Figures[][] = [];
  for (let round = 0; round < rounds; round++) {
    say(`round ${round + 1} of ${rounds}`);
    const figures: Figures[] = [];
    for (const turn of sides.keys()) {
      // The order alternates from round to round.
      const which = (round + turn) % sides.length;
      figures[which] = await sides[which]!.run(secondsEach);
    }
    measured.push(figures);
  }
  const stolen = stolenSince();
  const typicalOf = (which: number) => typical(measured.map((figures) => figures[which]!));
  const ratioTo = (which: number) =>
    median(measured.map((figures) => figures[0]!.rate / figures[which]!.rate));
  return {
    scenario: name,
    title,
    unit,
    ours: typicalOf(0),
    limit: { what: scenario.limit, ...typicalOf(1) },
    ratio: ratioTo(1),
    target,
    ...(p99TargetMs && { p99TargetMs }),
    ...(stolen !== undefined && { stolen }),
    ...(ceiling && { ceiling: { what: ceiling.what, ...typicalOf(2), ratio: ratioTo(2) } }),
  };
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
