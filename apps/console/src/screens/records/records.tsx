import { IconFileCertificate } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { count } from '../../text/labels.ts';
import { choicesOf, Filters } from '../../ui/filters.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { stateColumn } from '../../ui/state-pill.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { agoColumn } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { levelStates, recordTitle } from './record-labels.ts';

const Records = graphql(`
  query Records($first: Int, $last: Int, $after: String, $before: String, $level: EvidenceLevel) {
    dpus(first: $first, last: $last, after: $after, before: $before, domain: platform, evidenceLevel: $level) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { node { id referenceType evidenceLevel aiGenerated chainIndex createdAt tags } }
    }
  }
`);

type Level = VariablesOf<typeof Records>['level'];
type Listed = ResultOf<typeof Records>['dpus']['edges'][number]['node'];

const route = getRouteApi('/inside/c/$center/records');
const selects = { level: ['Evidence', 'Any evidence level', choicesOf(levelStates)] } as const;

const columnsOf = (center: string): Column<Listed>[] => [
  { name: 'Record', text: recordTitle, href: ({ id }) => `/c/${center}/records/${id}` },
  stateColumn<Listed>('Evidence', ({ evidenceLevel }) => levelStates[evidenceLevel]!),
  {
    name: 'Written by',
    wideOnly: true,
    cell: ({ aiGenerated }) => (aiGenerated ? 'AI' : 'Person or system'),
  },
  agoColumn('Recorded', ({ createdAt }) => createdAt),
];

/** Records of the platform chain: workflows, attendance, certificates. */
export default function RecordsScreen() {
  const { center } = route.useParams();
  const read = useList(Records, route.useSearch(), ({ level }) => ({ level: level as Level }));
  useAuditEvents('any', read.reload);
  return (
    <Page title="Records" intro="Records of workflows, attendance and certificates on the platform chain.">
      <Filters of={read} selects={selects} />
      <PagedTable
        of={read}
        empty={
          <Empty
            icon={<IconFileCertificate />}
            title={read.shown.level ? 'No matching records' : 'No records yet'}
          />
        }
        label="Records"
        linked
        columns={columnsOf(center)}
        words={(total) => count(total, 'record')}
      />
    </Page>
  );
}
