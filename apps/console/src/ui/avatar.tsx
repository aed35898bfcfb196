import classes from './avatar.module.css';

const initialsOf = (name: string) =>
  name
    .split(/[\s@._-]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');

/** The same hue for the same name, so that people and places are easy to recognize. */
function hueOf(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)!) % 360;
  return sum;
}

/** In the colors of a brand, for the light and the dark scheme. */
const colorsOf = (shades: readonly string[] | null | undefined) =>
  shades?.length === 10
    ? { '--ink': shades[8], '--ground': shades[0], '--dark-ink': shades[1], '--dark-ground': shades[9] }
    : {};

interface AvatarProps {
  name: string;
  size?: number;
  square?: boolean;
  /** The colors of the place's brand. */
  shades?: readonly string[] | null | undefined;
}

/** Initials of a person or a place. The name is always next to it. */
export function Avatar({ name, size = 32, square, shades }: AvatarProps) {
  return (
    <span
      className={classes.avatar}
      aria-hidden="true"
      style={{
        width: size,
        height: size,
        fontSize: Math.round(size * 0.38),
        borderRadius: square ? Math.round(size * 0.26) : '50%',
        ['--hue' as string]: hueOf(name),
        ...colorsOf(shades),
      }}
    >
      {initialsOf(name)}
    </span>
  );
}
