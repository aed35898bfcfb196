import { ink, line, type Point, stack, text, thread } from '../harness/picture/svg.ts';
import type { SoakResult } from './result.ts';

const WIDTH = 980;
const LEFT = 70;
const RIGHT = 760;
const TOP = 60;
const BOTTOM = 280;
const STEP_MIB = 50;

/** The memory of each process during the soak test. */
export function soakPicture({ minutes, callsPerSecond, warmupMinutes, processes }: SoakResult): string {
  const highest = Math.max(...processes.flatMap(({ samples }) => samples.map(({ mib }) => mib)));
  const most = Math.ceil(highest / STEP_MIB) * STEP_MIB;
  const x = (minute: number) => LEFT + (minute / minutes) * (RIGHT - LEFT);
  const y = (mib: number) => BOTTOM - (mib / most) * (BOTTOM - TOP);
  const levels = Array.from({ length: most / STEP_MIB + 1 }, (_, i) => i * STEP_MIB);
  const title = `Memory over ${minutes} minutes of ${callsPerSecond} calls a second`;
  const body = [
    text(24, 32, title, { size: 17, bold: true }),
    ...levels.flatMap((mib) => [
      line([LEFT, y(mib)], [RIGHT, y(mib)], ink.grid),
      text(LEFT - 8, y(mib) + 4, `${mib} MiB`, { anchor: 'end', size: 11, color: ink.faint }),
    ]),
    line([x(warmupMinutes), TOP], [x(warmupMinutes), BOTTOM], ink.faint, true),
    text(x(warmupMinutes) + 6, TOP + 12, 'judged from here', { size: 11, color: ink.faint }),
    text(RIGHT, BOTTOM + 20, `${minutes} minutes`, { anchor: 'end', size: 11, color: ink.faint }),
    ...processes.flatMap(({ process, samples, slopeMiBPerMinute, steady }, i) => {
      const color = ink.lines[i]!;
      const last = samples.at(-1)!;
      const label = `${process}: ${slopeMiBPerMinute.toFixed(2)} MiB a minute`;
      return [
        thread(
          samples.map(({ minute, mib }): Point => [x(minute), y(mib)]),
          color,
        ),
        text(RIGHT + 12, y(last.mib) + 4, label, { size: 12, color: steady ? color : ink.missed }),
      ];
    }),
  ];
  return stack('Memory of each process during the soak', WIDTH, [
    { height: BOTTOM + 40, body: body.join('\n') },
  ]);
}
