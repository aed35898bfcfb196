import type { EventFilter } from '../input.ts';
import { countKeys, tagKey } from './counts.ts';

/** The events of a list as SQL with named parameters. Each combination of filters has one text. */
export interface Chosen {
  /** The FROM clause. */
  from: string;
  /** The column with the event's id, by which the list is ordered. */
  id: string;
  conditions: string;
  /** The tally keys that add up to the number of events; null if there are none for this filter. */
  tallies: string[] | null;
  /** The parameters in the text, including `centerId`. */
  params: Record<string, unknown>;
  /** The combination of filters. */
  shape: string;
}

/** The caller's filter, limited to the decisions of one API key if the caller may see no others. */
export interface ChosenFilter extends EventFilter {
  requestedBy?: string | undefined;
}

/** A tag's events are stored by tag in list order, so the events themselves are joined only for other filters. */
export function choose(filter: ChosenFilter, centerId: number): Chosen {
  const params: Chosen['params'] = { centerId };
  const asked = conditionsOn(filter, params);
  const ofEvents = ['e.center_id = $centerId', ...asked.values()];
  const shape = [...asked.keys()].join('_');
  if (filter.tag === undefined) {
    const isTallied = [...asked.keys()].every((name) => name === 'type' || name === 'status');
    return {
      from: 'decision_event e',
      id: 'e.id',
      conditions: ofEvents.join(' AND '),
      tallies: isTallied ? countKeys(centerId, filter) : null,
      params,
      shape,
    };
  }
  params['tag'] = filter.tag;
  const ofTag = ['t.center_id = $centerId', 't.tag = $tag'];
  const alone = asked.size === 0;
  return {
    from: alone ? 'decision_event_tag t' : 'decision_event_tag t JOIN decision_event e ON e.id = t.event_id',
    id: 't.event_id',
    conditions: [...ofTag, ...(alone ? [] : ofEvents)].join(' AND '),
    tallies: alone ? [tagKey(centerId, filter.tag)] : null,
    params,
    shape: `${shape}_tag`,
  };
}

/** Conditions on `decision_event e`, by filter name. */
function conditionsOn(filter: ChosenFilter, params: Chosen['params']): Map<string, string> {
  const { type, status, statuses, requestedBy, from, to, search } = filter;
  const asked = new Map<string, string>();
  const ask = (name: string, value: unknown, condition: string) => {
    if (value === undefined) return;
    params[name] = value;
    asked.set(name, condition);
  };
  ask('type', type, 'e.type = $type::decision_event_type');
  ask('status', status, 'e.status = $status::decision_event_status');
  ask('statuses', statuses, 'e.status = ANY ($statuses::decision_event_status[])');
  ask('own', requestedBy, `e.by_kind = 'api_key' AND e.by_id = $own`);
  ask('from', from, 'e.created_at >= $from::timestamptz');
  ask('to', to, 'e.created_at < $to::timestamptz');
  ask('search', search === undefined ? undefined : `%${search.replace(/[\\%_]/g, '\\$&')}%`, SEARCHED);
  return asked;
}

const SEARCHED = `(${[
  'action_type',
  "content #>> '{action,description}'",
  'actor_name',
  'actor_id',
  'decision_id',
  'id',
]
  .map((column) => `e.${column} ILIKE $search`)
  .join(' OR ')} OR array_to_string(e.tags, ' ') ILIKE $search)`;
