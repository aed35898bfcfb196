import type { CardValue } from '@countersign/proof-kit/decision-card';
import type { ReactNode } from 'react';
import { ExactTime } from '../time.tsx';
import classes from './value-table.module.css';

/** What others call the value, and its path. */
const Name = ({ of: { label, path } }: { of: Pick<CardValue, 'label' | 'path'> }) => (
  <>
    {label && <bdi className={classes.label}>{label}</bdi>} {path && <bdi className="mono">{path}</bdi>}
  </>
);

/** A value in exact JSON with its unit; a time also in words. */
export function ExactValue({ of: shown }: { of: CardValue | undefined }) {
  if (!shown) return <span className={classes.none}>–</span>;
  if (shown.more !== undefined) return <span className={classes.none}>{shown.value}</span>;
  return (
    <>
      <bdi className="mono">{shown.value}</bdi>
      {shown.unit && <> {shown.unit}</>}
      {shown.time && (
        <span className={classes.time}>
          <ExactTime at={shown.time} />
        </span>
      )}
    </>
  );
}

interface ValueTableProps {
  label: string;
  /** The names of the columns behind that of the members; without them the table has no head. */
  heads?: readonly string[];
  /** Shorter names, for narrow screens. */
  shortHeads?: readonly string[];
  rows: readonly { name: Pick<CardValue, 'label' | 'path'>; mark?: string; values: readonly ReactNode[] }[];
}

/** Members and their values. Rows with a mark stand out. */
export function ValueTable({ label, heads, shortHeads = heads, rows }: ValueTableProps) {
  return (
    <table className={classes.table} aria-label={label}>
      {heads && (
        <thead>
          <tr>
            <th scope="col">Argument</th>
            {heads.map((head, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name
              <th key={i} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map(({ name, mark, values }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a member may be named like another fact
          <tr key={place} data-mark={mark}>
            <th scope="row">
              <Name of={name} />
            </th>
            {values.map((value, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns stay
              <td key={i} data-name={shortHeads?.[i]}>
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The rows of values that are compared with nothing. */
export const plainRows = (values: readonly CardValue[]) =>
  values.map((each) => ({ name: each, values: [<ExactValue key="value" of={each} />] }));
