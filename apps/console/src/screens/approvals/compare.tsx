import type { Json } from '../../graphql/graphql.ts';
import { Pill } from '../../ui/pill.tsx';
import classes from './compare.module.css';
import { compare, type Difference } from './differences.ts';

export const showValue = (value: Json | undefined) =>
  value === undefined ? (
    <span className={classes.none}>–</span>
  ) : typeof value === 'string' ? (
    value
  ) : (
    JSON.stringify(value)
  );

const words = { changed: ['Changed', 'warn'], added: ['New', 'info'], same: null, removed: null } as const;

/** Input and output, value by value. */
export function Compare({ before, after }: { before: Json; after: Json }) {
  const rows = compare(before, after);
  if (rows.length === 0) return <p className={classes.nothing}>No input and no output.</p>;
  return (
    <table className={classes.compare}>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Given</th>
          <th scope="col">Outcome</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.path} {...row} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ path, before, after, kind }: Difference) {
  const word = words[kind];
  return (
    <tr data-kind={kind}>
      <th scope="row">{path}</th>
      <td data-name="Given">{showValue(before)}</td>
      <td data-name="Outcome">
        {showValue(after)}
        {word && (
          <>
            {' '}
            <Pill tone={word[1]}>{word[0]}</Pill>
          </>
        )}
      </td>
    </tr>
  );
}
