import type { Json } from '../../graphql/graphql.ts';
import { type StepDraft, stepsIn, valueAt } from './definitions.ts';
import { sides, sideTitles } from './draft.ts';
import { kindLabel, kinds } from './kinds.ts';
import classes from './workflows.module.css';

/** The steps of a version, read-only, with the sides of branches. */
export function StepsShown({ steps }: { steps: Json }) {
  return (
    <ol className={classes.list}>
      {stepsIn(steps).map((step, place) => (
        <li key={String(step['name'])}>
          <OneStep step={step} place={place} />
        </li>
      ))}
    </ol>
  );
}

function OneStep({ step, place }: { step: StepDraft; place: number }) {
  const kind = String(step['kind']);
  const main = kinds[kind]?.fields.find(({ path }) => valueAt(step, path) !== undefined && path !== 'method');
  const value = main && valueAt(step, main.path);
  return (
    <>
      <div className={classes.stepHead} style={{ marginBottom: 6 }}>
        <span className={classes.place} aria-hidden="true">
          {place + 1}
        </span>
        <span className={classes.stepText}>
          <strong>{kindLabel(kind)}</strong> <span className="mono">{String(step['name'])}</span>
          {value !== undefined && (
            <span className={classes.small}>{typeof value === 'string' ? value : JSON.stringify(value)}</span>
          )}
        </span>
      </div>
      {kind === 'branch' &&
        sides
          .filter((side) => stepsIn(step[side] ?? []).length > 0)
          .map((side) => (
            <div key={side} className={classes.shownSide}>
              <p className={classes.sideTitle}>{sideTitles[side]}</p>
              <StepsShown steps={step[side] ?? []} />
            </div>
          ))}
    </>
  );
}
