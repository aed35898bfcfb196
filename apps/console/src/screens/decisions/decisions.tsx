import { Button, CloseButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconGavel, IconPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { memo, useMemo } from 'react';
import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';
import { usePages } from '../../graphql/use-pages.ts';
import { useDecisionChanges } from '../../session/live-center.tsx';
import { count, decisionStates, decisionTypes, headlineOf, stateOf } from '../../text/labels.ts';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { RowLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RiskMark } from '../../ui/risk.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { DecisionState } from '../../ui/state-pill.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { useListAddress } from '../../ui/use-list-address.ts';
import classes from './decisions.module.css';
import { RecordDecisionDialog } from './record-decision.tsx';

const DecisionList = graphql(`
  query DecisionList($first: Int, $last: Int, $after: String, $before: String, $filter: DecisionEventFilter) {
    decisionEvents(first: $first, last: $last, after: $after, before: $before, filter: $filter) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges {
        node {
          id
          status
          type
          riskScore
          createdAt
          tags
          actor { id name }
          action { type description }
        }
      }
    }
  }
`);

type Filter = NonNullable<VariablesOf<typeof DecisionList>['filter']>;
type Listed = ResultOf<typeof DecisionList>['decisionEvents']['edges'][number]['node'];

const route = getRouteApi('/inside/c/$center/decisions');
const PAGE = 25;
const statusChoices = Object.entries(decisionStates).map(([value, [label]]) => ({ value, label }));
const typeChoices = Object.entries(decisionTypes).map(([value, label]) => ({ value, label }));

type Search = ReturnType<typeof route.useSearch>;

const columnsOf = (center: string): Column<Listed>[] => [
  {
    name: 'Decision',
    text: ({ action }) => headlineOf(action),
    cell: ({ id, action, actor }) => (
      <div className={classes.what}>
        <RowLink href={`/c/${center}/decisions/${id}`}>{headlineOf(action)}</RowLink>
        <span className={classes.who}>{actor.name ?? actor.id}</span>
      </div>
    ),
  },
  { name: 'Actor', fileOnly: true, cell: ({ actor }) => actor.name ?? actor.id },
  {
    name: 'Status',
    text: ({ status }) => stateOf(decisionStates, status)[0],
    cell: (row) => <DecisionState status={row.status} />,
  },
  { name: 'Kind', wideOnly: true, cell: (row) => decisionTypes[row.type] },
  {
    name: 'Risk',
    right: true,
    text: ({ riskScore }) => riskScore,
    cell: (row) => <RiskMark risk={row.riskScore} />,
  },
  { name: 'Tags', fileOnly: true, cell: ({ tags }) => tags.join(', ') },
  { name: 'Id', fileOnly: true, cell: ({ id }) => id },
  {
    name: 'Recorded',
    right: true,
    text: ({ createdAt }) => createdAt,
    cell: (row) => <Ago at={row.createdAt} />,
  },
];

export function DecisionsScreen() {
  const { center } = route.useParams();
  const [opened, { open, close }] = useDisclosure();
  return (
    <Page
      title="Decisions"
      intro="All decisions of this center and their proofs."
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={open}>
          Record decision
        </Button>
      }
    >
      <AllDecisions />
      <RecordDecisionDialog center={center} opened={opened} onClose={close} />
    </Page>
  );
}

/** A separate component, so that filters and paging do not render the rest of the page. */
function AllDecisions() {
  const { center } = route.useParams();
  const { shown, change, narrow } = useListAddress(route.useSearch());
  const { status, type, tag, search: words, after, before } = shown;
  const filter = { status, type, tag, search: words } as Filter;
  const read = usePages(DecisionList, PAGE, { after, before }, { filter });
  useDecisionChanges(read.reload);
  const filtered = Boolean(status || type || tag || words);
  const columns = useMemo(() => columnsOf(center), [center]);
  return (
    <>
      <Filters status={status} type={type} tag={tag} words={words} onChange={narrow} />
      <Panel flush>
        <PagedTable
          of={read}
          list={({ decisionEvents }) => decisionEvents}
          empty={
            <Empty
              icon={<IconGavel />}
              title={filtered ? 'No matching entries' : 'No decisions yet'}
              action={
                filtered && (
                  <Button
                    variant="default"
                    onClick={() =>
                      narrow({ status: undefined, type: undefined, tag: undefined, search: undefined })
                    }
                  >
                    Show all
                  </Button>
                )
              }
            >
              {!filtered &&
                'Agents and services record decisions with an API key. They appear here immediately.'}
            </Empty>
          }
          label="Decisions"
          linked
          columns={columns}
          keyOf={(row) => row.id}
          words={(total) => count(total, 'decision')}
          onPage={change}
        />
      </Panel>
    </>
  );
}

interface FiltersProps {
  status: string | undefined;
  type: string | undefined;
  tag: string | undefined;
  words: string | undefined;
  onChange: (changes: Partial<Search>) => void;
}

/** A separate component, so that turning pages does not render it. */
const Filters = memo(function Filters({ status, type, tag, words, onChange }: FiltersProps) {
  return (
    <FilterBar>
      <SearchField initial={words ?? ''} placeholder="Search action, actor, tag or id" onChange={onChange} />
      <FilterSelect
        name="status"
        label="Status"
        placeholder="Any status"
        choices={statusChoices}
        value={status}
        onChange={onChange}
      />
      <FilterSelect
        name="type"
        label="Kind"
        placeholder="Any kind"
        choices={typeChoices}
        value={type}
        onChange={onChange}
      />
      {tag && (
        <Button
          variant="light"
          color="gray"
          rightSection={<CloseButton component="span" size="xs" aria-hidden />}
          onClick={() => onChange({ tag: undefined })}
        >
          Tag: {tag}
        </Button>
      )}
    </FilterBar>
  );
});
