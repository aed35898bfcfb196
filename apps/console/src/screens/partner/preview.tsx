import { IconPhoto } from '@tabler/icons-react';
import classes from './preview.module.css';

interface PreviewProps {
  name: string;
  color: string;
  logo: string;
  tagline: string;
  offers: string[];
}

/** Black or white, whichever is read more easily on a color (WCAG's relative luminance). */
function readableOn(color: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  return luminance > 0.179 ? '#000000' : '#ffffff';
}

/** A preview of a center's page. Images of other hosts are not loaded. */
export function Preview({ name, color, logo, tagline, offers }: PreviewProps) {
  const ink = readableOn(color);
  return (
    <div className={classes.page} data-testid="preview" style={{ ['--main' as string]: color }}>
      <div className={classes.bar} style={{ background: color, color: ink }}>
        <Logo source={logo} />
        <strong>{name}</strong>
      </div>
      <div className={classes.body}>
        <p className={classes.headline}>{tagline || 'Welcome'}</p>
        <ul className={classes.offers}>
          {offers.map((offer) => (
            <li key={offer}>{offer}</li>
          ))}
        </ul>
        <span className={classes.button} style={{ background: color, color: ink }}>
          Sign in
        </span>
      </div>
    </div>
  );
}

function Logo({ source }: { source: string }) {
  if (source.startsWith('data:image/')) return <img src={source} alt="" className={classes.logo} />;
  return source ? (
    <span className={classes.logo} title={source}>
      <IconPhoto size={20} aria-hidden="true" />
    </span>
  ) : null;
}
