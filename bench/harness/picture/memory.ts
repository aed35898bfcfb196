import type { MemoryResult } from '../results.ts';
import { BARS, bar, ink, line, type Panel, text } from './svg.ts';

const { left: LEFT, width: WIDTH } = BARS;
const ROW = 30;
const TOP = 58;

/** The peak memory of each process beside its target. */
export function memoryPanel(results: MemoryResult[]): Panel {
  const most = Math.max(...results.flatMap(({ peakMiB, targetMiB }) => [peakMiB, targetMiB])) * 1.1;
  const length = (mib: number) => (mib / most) * WIDTH;
  const rows = results.flatMap(({ process, work, peakMiB, targetMiB }, i) => {
    const y = TOP + i * ROW;
    const goal = LEFT + length(targetMiB);
    return [
      text(LEFT - 14, y + 14, `${process}: ${work}`, { anchor: 'end', size: 12 }),
      bar(LEFT, y + 2, length(peakMiB), 16, peakMiB < targetMiB ? ink.ours : ink.missed),
      line([goal, y - 3], [goal, y + 23], ink.text, true),
      text(LEFT + WIDTH + 14, y + 14, `${Math.round(peakMiB)} MiB, target under ${targetMiB}`, { size: 12 }),
    ];
  });
  return {
    height: TOP + results.length * ROW + 20,
    body: [text(24, 34, 'The most memory of a process', { size: 17, bold: true }), ...rows].join('\n'),
  };
}
