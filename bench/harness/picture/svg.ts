/** Building blocks of the drawings. */
export const ink = {
  text: '#1f2933',
  faint: '#7b8794',
  grid: '#e4e7eb',
  ours: '#2f6f4f',
  missed: '#b3541e',
  limit: '#cbd2d9',
  lines: ['#2f6f4f', '#2b6cb0', '#b3541e', '#805ad5', '#b7791f', '#c53030', '#319795', '#4a5568'],
};

const number = (value: number) => Number(value.toFixed(1));
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

interface TextStyle {
  size?: number;
  color?: string;
  anchor?: 'start' | 'middle' | 'end';
  bold?: boolean;
}

export function text(x: number, y: number, words: string, style: TextStyle = {}): string {
  const { size = 13, color = ink.text, anchor = 'start', bold = false } = style;
  const weight = bold ? ' font-weight="600"' : '';
  return `<text x="${number(x)}" y="${number(y)}" font-size="${size}" fill="${color}" text-anchor="${anchor}"${weight}>${escaped(words)}</text>`;
}

/** Where bars begin, right of their titles, and the length of the longest. */
export const BARS = { left: 570, width: 350 };

export function bar(x: number, y: number, width: number, height: number, color: string): string {
  return `<rect x="${number(x)}" y="${number(y)}" width="${number(Math.max(width, 1))}" height="${height}" rx="2" fill="${color}"/>`;
}

export type Point = [x: number, y: number];

export function line([x1, y1]: Point, [x2, y2]: Point, color: string, dashed = false): string {
  const dashes = dashed ? ' stroke-dasharray="4 3"' : '';
  return `<line x1="${number(x1)}" y1="${number(y1)}" x2="${number(x2)}" y2="${number(y2)}" stroke="${color}"${dashes}/>`;
}

/** A line through many points. */
export function thread(points: Point[], color: string, dashed = false): string {
  const path = points.map(([x, y]) => `${number(x)},${number(y)}`).join(' ');
  const dashes = dashed ? ' stroke-dasharray="4 3"' : '';
  return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"${dashes}/>`;
}

/** The same with a marker at each point. */
export function curve(points: Point[], color: string, dashed = false): string {
  const dots = points.map(([x, y]) => `<circle cx="${number(x)}" cy="${number(y)}" r="3" fill="${color}"/>`);
  return thread(points, color, dashed) + dots.join('');
}

/** A panel, drawn from its top left corner, with its height. */
export interface Panel {
  height: number;
  body: string;
}

/** Panels below one another, on white so that they are readable on dark pages; the title is for screen readers. */
export function stack(title: string, width: number, panels: Panel[]): string {
  let top = 0;
  const placed = panels.map(({ height, body }) => {
    const part = `<g transform="translate(0 ${top})">${body}</g>`;
    top += height;
    return part;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top}" viewBox="0 0 ${width} ${top}" \
font-family="-apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif">
<title>${title}</title>
<rect width="100%" height="100%" fill="#fff"/>
${placed.join('\n')}
</svg>
`;
}
