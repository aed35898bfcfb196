import classes from './feature-list.module.css';
import { Pill } from './pill.tsx';

interface FeatureListProps {
  features: readonly {
    id: string;
    name: string;
    description: string;
    enabled: boolean;
    neededPlan: string | null;
  }[];
}

/** The features of a center, and why one is off. */
export function FeatureList({ features }: FeatureListProps) {
  return (
    <ul className={classes.features}>
      {features.map(({ id, name, description, enabled, neededPlan }) => (
        <li key={id}>
          <span>
            <strong>{name}</strong>
            <span className={classes.about}>{description}</span>
            {!enabled && (
              <span className={classes.about}>
                {neededPlan ? `Included in the ${neededPlan} plan.` : 'Switched off for this center.'}
              </span>
            )}
          </span>
          {enabled ? <Pill tone="good">On</Pill> : <Pill>Off</Pill>}
        </li>
      ))}
    </ul>
  );
}
