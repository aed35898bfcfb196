import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** Names and values, side by side where there is room. Facts without a value are left out. */
export function Facts({ of: facts, wide }: { of: [string, ReactNode][]; wide?: boolean }) {
  const known = facts.filter(
    ([, value]) => value !== null && value !== undefined && value !== false && value !== '',
  );
  return (
    <dl className={classes.facts} data-wide={wide || undefined}>
      {known.map(([name, value]) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
