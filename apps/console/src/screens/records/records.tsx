import { IconFileCertificate } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';
import { usePages } from '../../graphql/use-pages.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { count } from '../../text/labels.ts';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { RowLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { useListAddress } from '../../ui/use-list-address.ts';
import { levelStates, recordKind } from './record-labels.ts';

const Records = graphql(`
  query Records($first: Int, $last: Int, $after: String, $before: String, $level: EvidenceLevel) {
    dpus(first: $first, last: $last, after: $after, before: $before, domain: platform, evidenceLevel: $level) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { node { id referenceType evidenceLevel aiGenerated chainIndex createdAt tags } }
    }
  }
`);

type Listed = ResultOf<typeof Records>['dpus']['edges'][number]['node'];

const route = getRouteApi('/inside/c/$center/records');
const PAGE = 25;
const levelChoices = Object.entries(levelStates).map(([value, [label]]) => ({ value, label }));

const columnsOf = (center: string): Column<Listed>[] => [
  {
    name: 'Record',
    text: ({ referenceType, chainIndex }) => `${recordKind(referenceType)}, number ${chainIndex}`,
    cell: ({ id, referenceType, chainIndex }) => (
      <RowLink href={`/c/${center}/records/${id}`}>
        {recordKind(referenceType)}, number {chainIndex.toLocaleString()}
      </RowLink>
    ),
  },
  {
    name: 'Evidence',
    text: ({ evidenceLevel }) => levelStates[evidenceLevel]![0],
    cell: ({ evidenceLevel }) => {
      const [word, tone] = levelStates[evidenceLevel]!;
      return <Pill tone={tone}>{word}</Pill>;
    },
  },
  {
    name: 'Written by',
    wideOnly: true,
    cell: ({ aiGenerated }) => (aiGenerated ? 'AI' : 'Person or system'),
  },
  {
    name: 'Recorded',
    right: true,
    text: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
];

/** Records of the platform chain: workflows, attendance, certificates. */
export function RecordsScreen() {
  const { center } = route.useParams();
  const { shown, change, narrow } = useListAddress(route.useSearch());
  const { level, after, before } = shown;
  const read = usePages(
    Records,
    PAGE,
    { after, before },
    { level: level as VariablesOf<typeof Records>['level'] },
  );
  useAuditEvents('any', read.reload);
  return (
    <Page title="Records" intro="Records of workflows, attendance and certificates on the platform chain.">
      <FilterBar>
        <FilterSelect
          name="level"
          label="Evidence"
          placeholder="Any evidence level"
          choices={levelChoices}
          value={level}
          onChange={narrow}
        />
      </FilterBar>
      <Panel flush>
        <PagedTable
          of={read}
          list={({ dpus }) => dpus}
          empty={
            <Empty icon={<IconFileCertificate />} title={level ? 'No matching records' : 'No records yet'} />
          }
          label="Records"
          linked
          columns={columnsOf(center)}
          keyOf={({ id }) => id}
          words={(total) => count(total, 'record')}
          onPage={change}
        />
      </Panel>
    </Page>
  );
}
