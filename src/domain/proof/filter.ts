import { countKeys, tagKey } from './counts.ts';
import type { EventFilter } from './input.ts';

/** The events of a list as SQL; one text for each combination of filters, so that statements can be prepared. */
export interface Chosen {
  /** The rows that the list is made of, */
  from: string;
  /** and the column among them that holds the event's id, by which it is ordered. */
  id: string;
  conditions: string;
  /** The keys of the tallies that add up to the number of events, where there are some. */
  tallies: string[] | null;
  /** The statement's parameters; the first is the center. */
  values: unknown[];
  /** Which filters these are. */
  shape: string;
}

/** What is asked for, among the decisions of one API key where the caller may see no others. */
export interface ChosenFilter extends EventFilter {
  requestedBy?: string | undefined;
}

/** A tag's events stand under the tag in the order of the list; only what else is asked takes a look at the events. */
export function choose(filter: ChosenFilter, centerId: number): Chosen {
  const values: unknown[] = [centerId];
  const asked = conditionsOn(filter, values);
  const ofEvents = ['e.center_id = $1', ...asked.values()];
  const shape = [...asked.keys()].join('_');
  if (filter.tag === undefined) {
    const isTallied = [...asked.keys()].every((name) => name === 'type' || name === 'status');
    return {
      from: 'decision_event e',
      id: 'e.id',
      conditions: ofEvents.join(' AND '),
      tallies: isTallied ? countKeys(centerId, filter) : null,
      values,
      shape,
    };
  }
  const ofTag = ['t.center_id = $1', `t.tag = $${values.push(filter.tag)}`];
  const alone = asked.size === 0;
  return {
    from: alone ? 'decision_event_tag t' : 'decision_event_tag t JOIN decision_event e ON e.id = t.event_id',
    id: 't.event_id',
    conditions: [...ofTag, ...(alone ? [] : ofEvents)].join(' AND '),
    tallies: alone ? [tagKey(centerId, filter.tag)] : null,
    values,
    shape: `${shape}_tag`,
  };
}

/** What is asked of `decision_event e`, by the name of the filter. */
function conditionsOn(filter: ChosenFilter, values: unknown[]): Map<string, string> {
  const { type, status, statuses, search, from, to } = filter;
  const asked = new Map<string, string>();
  if (type !== undefined) asked.set('type', `e.type = $${values.push(type)}::decision_event_type`);
  if (status !== undefined) asked.set('status', `e.status = $${values.push(status)}::decision_event_status`);
  if (statuses !== undefined) {
    asked.set('statuses', `e.status = ANY ($${values.push(statuses)}::decision_event_status[])`);
  }
  if (filter.requestedBy !== undefined) {
    asked.set('own', `e.by_kind = 'api_key' AND e.by_id = $${values.push(filter.requestedBy)}`);
  }
  if (from !== undefined) asked.set('from', `e.created_at >= $${values.push(from)}::timestamptz`);
  if (to !== undefined) asked.set('to', `e.created_at < $${values.push(to)}::timestamptz`);
  if (search !== undefined) {
    const words = `$${values.push(`%${search.replace(/[\\%_]/g, '\\$&')}%`)}`;
    const columns = ['action_type', 'action_description', 'actor_name', 'actor_id', 'decision_id', 'id'];
    const found = columns.map((column) => `e.${column} ILIKE ${words}`);
    asked.set('search', `(${found.join(' OR ')} OR array_to_string(e.tags, ' ') ILIKE ${words})`);
  }
  return asked;
}
