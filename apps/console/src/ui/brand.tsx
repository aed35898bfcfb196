import classes from './brand.module.css';
import { SERVICE_NAME, useBrand } from './brand-store.ts';

function Seal({ size = 28 }: { size?: number }) {
  return (
    <svg
      className={classes.seal}
      width={size}
      height={size}
      viewBox="0 0 32 32"
      aria-hidden="true"
      focusable="false"
    >
      <rect width="32" height="32" rx="8" />
      <path d="M8.5 16.8l4.9 4.9 10-11.6" />
    </svg>
  );
}

/** The logo and name of the center's brand, or those of the service. */
export function Brand() {
  const brand = useBrand();
  return (
    <span className={classes.brand}>
      {brand?.logo ? <img className={classes.logo} src={brand.logo} alt="" /> : <Seal />}
      {brand?.name ?? SERVICE_NAME}
    </span>
  );
}
