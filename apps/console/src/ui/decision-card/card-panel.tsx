import type { CardRow, CardSection } from '@countersign/proof-kit/decision-card';
import type { ReactNode } from 'react';
import { Facts } from '../facts.tsx';
import { Panel } from '../panel.tsx';
import { Meter } from '../risk.tsx';
import classes from './card-panel.module.css';
import { Points } from './points.tsx';
import { plainRows, ValueTable } from './value-table.tsx';
import { Words } from './words.tsx';

interface CardPanelProps {
  section: CardSection;
  actions?: ReactNode;
  hint?: ReactNode;
  /** Below what the section says. */
  children?: ReactNode;
}

/** A section of a decision card. */
export function CardPanel({ section, children, ...rest }: CardPanelProps) {
  const { title, points, rows, values } = section;
  return (
    <Panel title={title} {...rest}>
      <div className={classes.content}>
        {points.length > 0 && <Points of={points} />}
        {rows.length > 0 && <CardRows of={rows} />}
        {values.length > 0 && <ValueTable label={title} rows={plainRows(values)} />}
        {children}
      </div>
    </Panel>
  );
}

/** Shares are bars, and the words of people stand out from those of the service. */
export function CardRows({ of: rows }: { of: readonly CardRow[] }) {
  const meters = rows.flatMap(({ label, meter }) => (meter ? [{ label, ...meter }] : []));
  const quotes = rows.filter(isQuote);
  const facts = rows.filter((row) => !row.meter && !isQuote(row));
  return (
    <>
      {meters.length > 0 && (
        <div className={classes.meters}>
          {meters.map(({ label, kind, share }) => (
            <Meter key={label} label={label} value={share} kind={kind} />
          ))}
        </div>
      )}
      {facts.length > 0 && (
        <Facts of={facts.map((row): [string, ReactNode] => [row.label, <Fact key="value" of={row} />])} />
      )}
      {quotes.map(({ label, value }) => (
        <figure key={label} className={classes.quote}>
          <figcaption>{label}</figcaption>
          <blockquote dir="auto">{value[0]!.text}</blockquote>
        </figure>
      ))}
    </>
  );
}

const isQuote = ({ value }: CardRow) => value.length === 1 && value[0]!.kind === 'quote';

const Fact = ({ of: { value, isAbsent } }: { of: CardRow }) => (
  <span className={isAbsent ? classes.absent : undefined}>
    <Words of={value} />
  </span>
);
