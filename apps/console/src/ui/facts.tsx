import type { ReactNode } from 'react';
import classes from './facts.module.css';

interface FactsProps {
  /** By name, or as pairs. */
  of: Record<string, ReactNode> | [string, ReactNode][];
  wide?: boolean;
}

/** Names and values, side by side where there is room. Facts without a value are left out. */
export function Facts({ of: facts, wide }: FactsProps) {
  const known = (Array.isArray(facts) ? facts : Object.entries(facts)).filter(
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
