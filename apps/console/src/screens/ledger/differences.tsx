import { useCenter } from '../../session/session-context.ts';
import { differenceLabel, recordNumber, reportedChainLabel, rowLabel } from '../../text/chains.ts';
import { count } from '../../text/labels.ts';
import { Copyable } from '../../ui/copy.tsx';
import { TextLink } from '../../ui/link.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import classes from './ledger.module.css';

/** A row that differs from its sealed record. */
interface Difference {
  table: string;
  id: string;
  chain: string;
  index: number | null;
  member: string | null;
}

/** The most that a verification lists. */
const MOST_NAMED = 100;

/** Rows that differ from their sealed records: the row, the value and the record. */
export function Differences({ of: rows }: { of: Difference[] }) {
  const { centerDomain: center } = useCenter();
  if (rows.length === 0) return null;
  const columns: Column<Difference>[] = [
    {
      name: 'What',
      cell: ({ table, id }) => (
        <>
          {table === 'decision_event' ? (
            <TextLink to="/c/$center/decisions/$id" params={{ center, id }}>
              <strong>{rowLabel(table)}</strong>
            </TextLink>
          ) : (
            <strong>{rowLabel(table)}</strong>
          )}
          {id && (
            <span className="subline">
              <Copyable value={id} label="Copy ID" />
            </span>
          )}
        </>
      ),
    },
    { name: 'Problem', cell: differenceLabel },
    {
      name: 'Sealed value',
      right: true,
      cell: ({ chain, index }) =>
        index === null ? (
          'Nothing'
        ) : chain.includes('/') ? (
          `${reportedChainLabel(chain)}, record ${recordNumber(index)}`
        ) : (
          <TextLink
            to="/c/$center/ledger/$domain"
            params={{ center, domain: chain }}
            search={{ at: String(index) }}
          >
            {reportedChainLabel(chain)}, record {recordNumber(index)}
          </TextLink>
        ),
    },
  ];
  return (
    <section className={classes.differences} aria-label="What differs">
      <p className={classes.text}>
        {rows.length >= MOST_NAMED ? `${MOST_NAMED} things and maybe more` : count(rows.length, 'thing')} that
        people see {rows.length === 1 ? 'is' : 'are'} not what was sealed. The record beside each is what it
        was held against.
      </p>
      <Table
        label="Differences"
        keyOf={({ table, id, chain, index, member }) => [table, id, chain, index, member].join(' ')}
        rows={rows}
        columns={columns}
      />
    </section>
  );
}
