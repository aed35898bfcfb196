import classes from './brand.module.css';

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

export function Brand() {
  return (
    <span className={classes.brand}>
      <Seal />
      Countersign
    </span>
  );
}
