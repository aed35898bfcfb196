import type { ComparisonResult } from '../results.ts';
import { BARS, bar, ink, line, type Panel, text } from './svg.ts';

const { left: LEFT, width: WIDTH } = BARS;
const ROW = 52;
const TOP = 62;

const whole = (value: number) => Math.round(value).toLocaleString('en');

/** The service above the limit, each pair on its own scale: the longer bar fills the width. */
export function comparisonPanel(results: ComparisonResult[]): Panel {
  const rows = results.map((result, i) => pair(result, TOP + i * ROW));
  return {
    height: TOP + results.length * ROW + 16,
    body: [
      text(24, 32, 'Ours beside the limit measured in the same run', { size: 17, bold: true }),
      text(
        24,
        50,
        'green: ours, target reached · orange: ours, target missed · grey: the limit · dashed: where ours must reach',
        { size: 12, color: ink.faint },
      ),
      ...rows,
    ].join('\n'),
  };
}

function pair({ title, unit, ours, limit, ratio, target }: ComparisonResult, y: number): string {
  // The target is a fraction of the limit and must fit on the scale too.
  const most = Math.max(ours.rate, limit.rate, target * limit.rate);
  const length = (rate: number) => (rate / most) * WIDTH;
  const goal = LEFT + length(target * limit.rate);
  const color = ratio >= target ? ink.ours : ink.missed;
  return [
    text(LEFT - 14, y + 15, title, { anchor: 'end' }),
    text(LEFT - 14, y + 31, `beside ${limit.what}`, { anchor: 'end', size: 11, color: ink.faint }),
    bar(LEFT, y + 4, length(ours.rate), 14, color),
    bar(LEFT, y + 20, length(limit.rate), 14, ink.limit),
    line([goal, y], [goal, y + 38], ink.text, true),
    text(LEFT + WIDTH + 14, y + 16, `${whole(ours.rate)} ${unit}`, { size: 12 }),
    text(LEFT + WIDTH + 14, y + 32, `${ratio.toFixed(2)} of the limit, target ${target}`, {
      size: 11,
      color: ratio >= target ? ink.faint : ink.missed,
    }),
  ].join('\n');
}
