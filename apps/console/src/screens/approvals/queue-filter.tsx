import { FilterSelects } from '../../ui/filters.tsx';
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
  const { agents, types } = choicesAmong(waiting);
  return (
    <div className={classes.filter}>
      <FilterSelects
        shown={arrangement}
        onChange={onChange}
        selects={{
          sort: ['Order', 'Newest first', sortChoices],
          risk: ['Risk', 'Any risk', riskChoices],
          agent: ['Agent', 'Any agent', agents],
          type: ['Type', 'Any type', types],
        }}
      />
    </div>
  );
}
