import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Comparison } from './compare.ts';
import type { Scenario } from './scenario.ts';

export interface Result extends Comparison {
  scenario: Scenario;
}

const place = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const whole = (value: number) => Math.round(value).toLocaleString('en');
const milliseconds = (value: number | undefined) => (value === undefined ? '' : value.toFixed(1));

/** A table in Markdown, for the terminal and the README alike. */
export function table(results: Result[]): string {
  const rows = results.map(({ scenario, ours, limit, ratio }) => [
    scenario.title,
    `${whole(ours.rate)} ${scenario.unit}`,
    milliseconds(ours.p50),
    milliseconds(ours.p99),
    scenario.limit,
    whole(limit.rate),
    ratio.toFixed(2),
    String(scenario.target),
  ]);
  const head = ['scenario', 'ours', 'p50 ms', 'p99 ms', 'limit', "limit's figure", 'ratio', 'target'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const WIDTH = 900;
const ROW = 34;
const BAR = 420;
const LEFT = 360;

/** Ours beside the limit, as bars of one length for the limit. */
export function picture(results: Result[]): string {
  const most = Math.max(1.2, ...results.map(({ ratio }) => Math.min(ratio, 3)));
  const scale = (ratio: number) => (Math.min(ratio, 3) / most) * BAR;
  const rows = results.map(({ scenario, ratio }, i) => {
    const y = 40 + i * ROW;
    const good = ratio >= scenario.target;
    return `
  <text x="${LEFT - 10}" y="${y + 15}" text-anchor="end">${scenario.title.replace(/[<&]/g, ' ')}</text>
  <rect x="${LEFT}" y="${y}" width="${scale(ratio).toFixed(1)}" height="20" fill="${good ? '#2f6f4f' : '#b3541e'}"/>
  <line x1="${LEFT + scale(scenario.target)}" x2="${LEFT + scale(scenario.target)}" y1="${y - 3}" y2="${y + 23}" stroke="#444" stroke-dasharray="2 2"/>
  <text x="${LEFT + scale(ratio) + 6}" y="${y + 15}">${ratio.toFixed(2)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${60 + results.length * ROW}" font-family="sans-serif" font-size="13">
  <rect width="100%" height="100%" fill="#fff"/>
  <text x="${LEFT}" y="22" fill="#444">ratio to the limit measured in the same run; dashed: the target; cut off at 3</text>
  <line x1="${LEFT + scale(1)}" x2="${LEFT + scale(1)}" y1="30" y2="${50 + results.length * ROW}" stroke="#999"/>${rows.join('')}
</svg>
`;
}

export function writeResults(results: Result[]): void {
  const figures = results.map(({ scenario, ours, limit, ratio }) => ({
    scenario: scenario.name,
    title: scenario.title,
    unit: scenario.unit,
    ours,
    limit: { what: scenario.limit, ...limit },
    ratio,
    target: scenario.target,
  }));
  writeFileSync(
    place('results.json'),
    `${JSON.stringify({ measuredAt: new Date().toISOString(), figures }, null, 2)}\n`,
  );
  writeFileSync(place('results.svg'), picture(results));
}
