import type { Json } from '../../graphql/graphql.ts';
import { stepsIn } from './definitions.ts';
import { kinds, kindWords } from './kinds.ts';
import { valueAt } from './members.ts';
import classes from './workflows.module.css';

/** The steps of a version, to be read. */
export function StepsShown({ steps }: { steps: Json }) {
  return (
    <ol className={classes.list}>
      {stepsIn(steps).map((step, place) => {
        const kind = String(step['kind']);
        const main = kinds[kind]?.fields.find(
          ({ path }) => valueAt(step, path) !== undefined && path !== 'method',
        );
        const value = main && valueAt(step, main.path);
        return (
          <li key={String(step['name'])} className={classes.stepHead} style={{ marginBottom: 6 }}>
            <span className={classes.place} aria-hidden="true">
              {place + 1}
            </span>
            <span>
              <strong>{kindWords(kind)}</strong> <span className="mono">{String(step['name'])}</span>
              {value !== undefined && (
                <span className={classes.small}>
                  {typeof value === 'string' ? value : JSON.stringify(value)}
                </span>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
