// Makes tenants' colors readable. Uses WCAG contrast: 4.5 for text, 3 for parts of controls.

type Rgb = readonly [red: number, green: number, blue: number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
const TEXT_CONTRAST = 4.5;
const STEP = 0.02;

/** Only six hexadecimal digits. Nothing else that a tenant entered reaches a style sheet. */
function parseColor(text: unknown): Rgb | null {
  const digits = typeof text === 'string' ? /^#([0-9a-f]{6})$/i.exec(text)?.[1] : undefined;
  if (digits === undefined) return null;
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)) as unknown as Rgb;
}

const hex = (color: Rgb) =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((value) => {
    const part = value / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

const mix = (color: Rgb, other: Rgb, share: number): Rgb =>
  color.map((part, i) => part * (1 - share) + other[i]! * share) as unknown as Rgb;

/** Moves the color towards another in small steps until it is acceptable. The target always is. */
function moved(color: Rgb, towards: Rgb, isGood: (color: Rgb) => boolean): Rgb {
  for (let share = 0; share < 1; share += STEP) {
    const candidate = mix(color, towards, share);
    if (isGood(candidate)) return candidate;
  }
  return towards;
}

/** Dark enough to be read on white, and for white text on it. */
const onWhite = (color: Rgb) => moved(color, BLACK, (each) => contrast(each, WHITE) >= TEXT_CONTRAST);

/** Light enough to tell a button from a dark page, and dark enough for white text on it. */
const LEAST_LUMINANCE = 0.11;

/** Ten shades from light to dark, as the console's components expect: 7 fills in the light scheme, 6 in the dark one. */
function shades(color: Rgb): string[] {
  const base = onWhite(color);
  const inDark = moved(base, WHITE, (each) => luminance(each) >= LEAST_LUMINANCE);
  const tints = [0.92, 0.82, 0.66, 0.48, 0.3, 0.15].map((share) => mix(inDark, WHITE, share));
  return [...tints, inDark, base, mix(base, BLACK, 0.15), mix(base, BLACK, 0.35)].map(hex);
}

/** A color for links and buttons, and one for text on it. */
interface Accent {
  accent: string;
  ink: string;
}

function accentOn(color: Rgb, ground: Rgb, towards: Rgb): Accent {
  const accent = moved(color, towards, (each) => contrast(each, ground) >= TEXT_CONTRAST);
  const ink = contrast(accent, WHITE) >= contrast(accent, BLACK) ? WHITE : BLACK;
  return { accent: hex(accent), ink: hex(ink) };
}

/** The page surface in the dark scheme. It is the lightest one, so text that is readable here is readable on the others. */
const DARK_SURFACE: Rgb = [0x19, 0x20, 0x26];

/** The colors that pages derive from a tenant's color. */
export interface BrandColors {
  shades: string[];
  light: Accent;
  dark: Accent;
}

export function brandColors(text: unknown): BrandColors | null {
  const color = parseColor(text);
  if (!color) return null;
  return {
    shades: shades(color),
    light: accentOn(color, WHITE, BLACK),
    dark: accentOn(color, DARK_SURFACE, WHITE),
  };
}
