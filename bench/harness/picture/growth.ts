import type { GrowthResult } from '../results.ts';
import { curve, ink, line, type Panel, type Point, text, thread } from './svg.ts';

const LEFT = 64;
const WIDTH = 420;
const TOP = 62;
const HEIGHT = 220;
const LEGEND = LEFT + WIDTH + 36;
const LEGEND_ROW = 20;

/** The p50 of each call by size, on logarithmic axes: a flat line means that size does not matter. */
export function growthPanel(results: GrowthResult[]): Panel {
  const { of, sizes } = results[0]!;
  const all = results.flatMap(({ p50 }) => p50);
  const x = scale(sizes[0]!, sizes.at(-1)!, LEFT, LEFT + WIDTH);
  const [least, most] = [nice(Math.min(...all), Math.floor), nice(Math.max(...all), Math.ceil)];
  const y = scale(least, most, TOP + HEIGHT, TOP);
  const body = [
    text(24, 32, `Growth: the same calls with more and more ${of}`, { size: 17, bold: true }),
    text(24, 50, 'p50 in milliseconds; dashed: calls that may grow, without a target', {
      size: 12,
      color: ink.faint,
    }),
    ...ticks(least, most).flatMap((value) => [
      line([LEFT, y(value)], [LEFT + WIDTH, y(value)], ink.grid),
      text(LEFT - 8, y(value) + 4, `${value} ms`, { anchor: 'end', size: 11, color: ink.faint }),
    ]),
    ...sizes.flatMap((size) => [
      line([x(size), TOP], [x(size), TOP + HEIGHT], ink.grid),
      text(x(size), TOP + HEIGHT + 18, size.toLocaleString('en'), {
        anchor: 'middle',
        size: 11,
        color: ink.faint,
      }),
    ]),
    ...results.map((result, i) => drawn(result, i, x, y)),
  ];
  const legendHeight = TOP + results.length * LEGEND_ROW;
  return { height: Math.max(TOP + HEIGHT + 44, legendHeight + 24), body: body.join('\n') };
}

function drawn(
  { call, sizes, p50, ratio, target }: GrowthResult,
  i: number,
  x: (value: number) => number,
  y: (value: number) => number,
): string {
  const color = ink.lines[i % ink.lines.length]!;
  const dashed = target === null;
  const points = sizes.map((size, at): Point => [x(size), y(p50[at]!)]);
  const row = TOP + 8 + i * LEGEND_ROW;
  const missed = target !== null && ratio > target;
  return [
    curve(points, color, dashed),
    thread(
      [
        [LEGEND, row],
        [LEGEND + 22, row],
      ],
      color,
      dashed,
    ),
    text(LEGEND + 30, row + 4, call, { size: 12 }),
    text(LEGEND + 392, row + 4, `× ${ratio.toFixed(2)}`, {
      size: 12,
      anchor: 'end',
      bold: missed,
      color: missed ? ink.missed : ink.text,
    }),
  ].join('\n');
}

/** A logarithmic axis from one value to another, between two positions. */
function scale(from: number, to: number, start: number, end: number): (value: number) => number {
  const length = Math.log(to) - Math.log(from);
  return (value) => start + ((Math.log(value) - Math.log(from)) / length) * (end - start);
}

/** The next power of ten below or above. */
const nice = (value: number, round: (value: number) => number) => 10 ** round(Math.log10(value));

function ticks(least: number, most: number): number[] {
  const powers = Math.round(Math.log10(most / least));
  return Array.from({ length: powers + 1 }, (_, i) => Number((least * 10 ** i).toPrecision(1)));
}
