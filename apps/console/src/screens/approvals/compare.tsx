import type { ReactNode } from 'react';
import type { Json } from '../../graphql/graphql.ts';
import type { State } from '../../text/labels.ts';
import { StatePill } from '../../ui/state-pill.tsx';
import classes from './compare.module.css';
import { compare, type Difference } from './differences.ts';

/** A value, and how it differs from the one that it is compared with. */
export const showValue = (value: Json | undefined, mark?: State) => (
  <>
    {value === undefined ? (
      <span className={classes.none}>–</span>
    ) : typeof value === 'string' ? (
      value
    ) : (
      JSON.stringify(value)
    )}
    {mark && (
      <>
        {' '}
        <StatePill of={mark} />
      </>
    )}
  </>
);

interface CompareTableProps {
  label?: string;
  /** The first column, then those of the values. */
  heads: [ReactNode, ...string[]];
  rows: { name: string; kind: Difference['kind']; values: ReactNode[] }[];
}

/** Values side by side; rows with a difference stand out. */
export function CompareTable({ label, heads, rows }: CompareTableProps) {
  const [what, ...names] = heads;
  return (
    <table className={classes.compare} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{what}</th>
          {names.map((name, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name
            <th key={i} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, kind, values }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an argument may be named like another fact
          <tr key={place} data-kind={kind}>
            <th scope="row">{name}</th>
            {values.map((value, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns stay
              <td key={i} data-name={names[i]}>
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export const marks: Partial<Record<Difference['kind'], State>> = {
  changed: ['Changed', 'warn'],
  added: ['New', 'info'],
};

/** Input and output, value by value. */
export function Compare({ before, after }: { before: Json; after: Json }) {
  const rows = compare(before, after);
  if (rows.length === 0) return <p className={classes.nothing}>No input and no output.</p>;
  return (
    <CompareTable
      heads={['What', 'Given', 'Outcome']}
      rows={rows.map(({ path, before, after, kind }) => ({
        name: path,
        kind,
        values: [showValue(before), showValue(after, marks[kind])],
      }))}
    />
  );
}
