import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './tiles.module.css';

/** Key figures side by side. */
export function Tiles({ children }: { children: ReactNode }) {
  return <div className={classes.tiles}>{children}</div>;
}

interface TileProps {
  label: ReactNode;
  value: ReactNode;
  hint?: ReactNode;
  /** The page with details. */
  to?: string;
  tone?: 'warn' | 'bad' | undefined;
}

export function Tile({ label, value, hint, to, tone }: TileProps) {
  const content = (
    <>
      <span className={classes.label}>{label}</span>
      <span className={classes.value}>{value}</span>
      {hint && <span className={classes.hint}>{hint}</span>}
    </>
  );
  if (!to) {
    return (
      <div className={classes.tile} data-tone={tone}>
        {content}
      </div>
    );
  }
  return (
    <Link to={to} className={classes.tile!} data-tone={tone}>
      {content}
    </Link>
  );
}
