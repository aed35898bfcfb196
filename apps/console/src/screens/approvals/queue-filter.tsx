import { FilterSelect } from '../../ui/filter-select.tsx';
import classes from './approvals.module.css';
import { type Arrangement, choicesAmong, riskChoices, sortChoices } from './arrange.ts';
import type { Waiting } from './requests.ts';

interface QueueFilterProps {
  waiting: readonly Waiting[];
  arrangement: Arrangement;
  onChange: (changes: Arrangement) => void;
}

/** Which requests to show, and in which order. */
export function QueueFilter({ waiting, arrangement, onChange }: QueueFilterProps) {
  const { sort, risk, agent, type } = arrangement;
  const { agents, types } = choicesAmong(waiting);
  return (
    <div className={classes.filter}>
      <FilterSelect
        name="sort"
        label="Order"
        placeholder="Newest first"
        choices={sortChoices}
        value={sort}
        onChange={onChange}
      />
      <FilterSelect
        name="risk"
        label="Risk"
        placeholder="Any risk"
        choices={riskChoices}
        value={risk}
        onChange={onChange}
      />
      <FilterSelect
        name="agent"
        label="Agent"
        placeholder="Any agent"
        choices={agents}
        value={agent}
        onChange={onChange}
      />
      <FilterSelect
        name="type"
        label="Type"
        placeholder="Any type"
        choices={types}
        value={type}
        onChange={onChange}
      />
    </div>
  );
}
