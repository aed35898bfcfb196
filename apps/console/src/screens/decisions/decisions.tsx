import { Button, CloseButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconGavel } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';
import { useDecisionChanges } from '../../session/live-center.tsx';
import { askerOf, count, decisionStates, decisionTypes, headlineOf } from '../../text/labels.ts';
import { choicesOf, Filters } from '../../ui/filters.tsx';
import { RowLink } from '../../ui/link.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { RiskMark } from '../../ui/risk.tsx';
import { decisionStatus } from '../../ui/state-pill.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { agoColumn } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
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
          requestedBy { id name }
          action { type description words { label } }
        }
      }
    }
  }
`);

type Filter = NonNullable<VariablesOf<typeof DecisionList>['filter']>;
type Listed = ResultOf<typeof DecisionList>['decisionEvents']['edges'][number]['node'];

const route = getRouteApi('/inside/c/$center/decisions');
const selects = {
  status: ['Status', 'Any status', choicesOf(decisionStates)],
  type: ['Kind', 'Any kind', choicesOf(decisionTypes)],
} as const;

const columnsOf = (center: string): Column<Listed>[] => [
  {
    name: 'Decision',
    text: ({ action }) => headlineOf(action),
    cell: (row) => (
      <div className={classes.what}>
        <RowLink href={`/c/${center}/decisions/${row.id}`}>{headlineOf(row.action)}</RowLink>
        <span className={classes.who}>{askerOf(row)}</span>
      </div>
    ),
  },
  { name: 'Actor', fileOnly: true, cell: askerOf },
  decisionStatus,
  { name: 'Kind', wideOnly: true, cell: (row) => decisionTypes[row.type] },
  {
    name: 'Risk',
    right: true,
    text: ({ riskScore }) => riskScore,
    cell: (row) => <RiskMark risk={row.riskScore} />,
  },
  { name: 'Tags', fileOnly: true, cell: ({ tags }) => tags.join(', ') },
  { name: 'Id', fileOnly: true, cell: ({ id }) => id },
  agoColumn('Recorded', ({ createdAt }) => createdAt),
];

export default function DecisionsScreen() {
  const [opened, { open, close }] = useDisclosure();
  return (
    <Page
      title="Decisions"
      intro="All decisions of this center and their proofs."
      actions={<NewButton onClick={open}>Record decision</NewButton>}
    >
      <AllDecisions />
      <RecordDecisionDialog opened={opened} onClose={close} />
    </Page>
  );
}

/** A separate component, so that filters and paging do not render the rest of the page. */
function AllDecisions() {
  const { center } = route.useParams();
  const read = useList(DecisionList, route.useSearch(), ({ status, type, tag, search }) => ({
    filter: { status, type, tag, search } as Filter,
  }));
  const { narrow } = read;
  const { status, type, tag, search } = read.shown;
  useDecisionChanges(read.reload);
  const filtered = Boolean(status || type || tag || search);
  const columns = useMemo(() => columnsOf(center), [center]);
  return (
    <>
      <Filters of={read} search="Search action, actor, tag or id" selects={selects}>
        {tag && (
          <Button
            variant="light"
            color="gray"
            rightSection={<CloseButton component="span" size="xs" aria-hidden />}
            onClick={() => narrow({ tag: undefined })}
          >
            Tag: {tag}
          </Button>
        )}
      </Filters>
      <PagedTable
        of={read}
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
        words={(total) => count(total, 'decision')}
      />
    </>
  );
}
