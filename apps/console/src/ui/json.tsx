import { Fragment, type ReactNode } from 'react';
import type { Json } from '../graphql/graphql.ts';
import classes from './json.module.css';

/** A JSON value as text, indented and colored. */
export function JsonText({ value, label }: { value: Json | undefined; label: string }) {
  if (value === undefined || value === null) return <p className={classes.nothing}>No data.</p>;
  return (
    <section className={classes.scroll} aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <pre className={classes.json} tabIndex={0}>
        {print(value, 0)}
      </pre>
    </section>
  );
}

function print(value: Json, depth: number): ReactNode {
  const pad = '  '.repeat(depth + 1);
  const end = '  '.repeat(depth);
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return (
      <>
        {'[\n'}
        {value.map((item, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no other key
          <Fragment key={i}>
            {pad}
            {print(item, depth + 1)}
            {i < value.length - 1 ? ',\n' : '\n'}
          </Fragment>
        ))}
        {`${end}]`}
      </>
    );
  }
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value);
    if (members.length === 0) return '{}';
    return (
      <>
        {'{\n'}
        {members.map(([name, member], i) => (
          <Fragment key={name}>
            {pad}
            <span className={classes.name}>{JSON.stringify(name)}</span>
            {': '}
            {print(member, depth + 1)}
            {i < members.length - 1 ? ',\n' : '\n'}
          </Fragment>
        ))}
        {`${end}}`}
      </>
    );
  }
  return (
    <span className={typeof value === 'string' ? classes.text : classes.other}>{JSON.stringify(value)}</span>
  );
}

/** The value of a JSON text; undefined if it is not valid. */
export function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
