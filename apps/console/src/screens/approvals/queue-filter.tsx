import { askerOf } from '../../text/labels.ts';
import { FilterSelects } from '../../ui/filters.tsx';
import { riskLevelOf } from '../../ui/risk.tsx';
import classes from './approvals.module.css';
import type { Waiting } from './requests.ts';

interface Arrangement {
  sort?: string | undefined;
  risk?: string | undefined;
  agent?: string | undefined;
  type?: string | undefined;
}

const sortChoices = [
  { value: 'expiry', label: 'Expires first' },
  { value: 'risk', label: 'Highest risk first' },
  { value: 'oldest', label: 'Oldest first' },
];

const riskChoices = [
  { value: 'high', label: 'High risk' },
  { value: 'medium', label: 'Medium risk' },
  { value: 'low', label: 'Low risk' },
  { value: 'none', label: 'Not rated' },
];

/** Requests that never expire come last. */
const expiry = ({ expiresAt }: Waiting) => (expiresAt ? Date.parse(expiresAt) : Number.POSITIVE_INFINITY);

const newestFirst = (a: Waiting, b: Waiting) => (a.id < b.id ? 1 : -1);

const orders: Record<string, (a: Waiting, b: Waiting) => number> = {
  oldest: (a, b) => newestFirst(b, a),
  risk: (a, b) => (b.riskScore ?? -1) - (a.riskScore ?? -1) || newestFirst(a, b),
  expiry: (a, b) => {
    const [one, other] = [expiry(a), expiry(b)];
    return one === other ? newestFirst(a, b) : one - other;
  },
};

/** The matching requests in the chosen order, newest first by default. */
export function arrange(waiting: readonly Waiting[], { sort, risk, agent, type }: Arrangement): Waiting[] {
  return waiting
    .filter(
      ({ riskScore, actor, action }) =>
        (!risk || riskLevelOf(riskScore) === risk) &&
        (!agent || actor.id === agent) &&
        (!type || action.type === type),
    )
    .sort(orders[sort ?? ''] ?? newestFirst);
}

/** Agents and action types of the requests, as filter options. */
function choicesAmong(waiting: readonly Waiting[]) {
  const agents = new Map(waiting.map((each) => [each.actor.id, askerOf(each)]));
  const types = new Set(waiting.map(({ action }) => action.type));
  const byLabel = (a: { label: string }, b: { label: string }) => a.label.localeCompare(b.label);
  return {
    agents: [...agents].map(([value, label]) => ({ value, label })).sort(byLabel),
    types: [...types].map((value) => ({ value, label: value })).sort(byLabel),
  };
}

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
