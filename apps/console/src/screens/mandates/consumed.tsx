import { Progress } from '@mantine/core';
import { count } from '../../text/labels.ts';
import classes from './consumed.module.css';
import type { Mandate } from './mandate.ts';

/** The consumption of each limit. */
const consumptionOf = ({ used, maxUses, spent, budget }: Mandate) => [
  ...(maxUses === null ? [] : [{ label: 'Uses', used, limit: maxUses }]),
  ...(budget === null ? [] : [{ label: `Total of ${budget.member}`, used: spent ?? 0, limit: budget.limit }]),
];

/** The consumption of a mandate: bars with a limit, numbers without. */
export function Consumed({ of: mandate }: { of: Mandate }) {
  const consumption = consumptionOf(mandate);
  if (consumption.length === 0) {
    return <span>{count(mandate.used, 'use')}</span>;
  }
  return (
    <div className={classes.bars}>
      {consumption.map(({ label, used, limit }) => (
        <div key={label}>
          <div className={classes.label}>
            <span>{label}</span>
            <span>
              {used.toLocaleString()} of {limit.toLocaleString()}
            </span>
          </div>
          <Progress
            value={Math.min(100, (100 * used) / limit)}
            color={used >= limit ? 'red' : 'seal'}
            size="sm"
            aria-label={`${label}: ${used} of ${limit}`}
          />
        </div>
      ))}
    </div>
  );
}
