import classes from './statements.module.css';

/** The sentences of a policy. */
export function Statements({ of: statements }: { of: readonly string[] }) {
  if (statements.length === 0) {
    return <p className={classes.none}>It requires nothing: wider policies decide everything.</p>;
  }
  return (
    <ul className={classes.statements}>
      {statements.map((statement) => (
        <li key={statement}>{statement}.</li>
      ))}
    </ul>
  );
}
