import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBuildingBank, IconPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { graphql } from '../../graphql/graphql.ts';
import { usePages } from '../../graphql/use-pages.ts';
import { useBusiness } from '../../session/live-business.tsx';
import { count } from '../../text/labels.ts';
import { useCommand } from '../../ui/commands.ts';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { RowLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import { Day } from '../../ui/time.tsx';
import { useListAddress } from '../../ui/use-list-address.ts';
import { OnboardPartner } from './onboard-partner.tsx';

const Partners = graphql(`
  query Partners($first: Int, $last: Int, $after: String, $before: String, $search: String) {
    partners(first: $first, last: $last, after: $after, before: $before, search: $search) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { node { id name createdAt centerCount memberCount } }
    }
  }
`);

const route = getRouteApi('/inside/platform/partners');
const PAGE = 25;

export function PartnersScreen() {
  const { shown, change, narrow } = useListAddress(route.useSearch());
  const { search: words, after, before } = shown;
  const [opened, { open, close }] = useDisclosure();
  useCommand('new-partner', open);
  const read = usePages(Partners, PAGE, { after, before }, { search: words });
  useBusiness(['centers'], read.reload);
  return (
    <Page
      title="Partners"
      intro="Organizations that own centers."
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={open}>
          New partner
        </Button>
      }
    >
      <FilterBar>
        <SearchField initial={words ?? ''} placeholder="Search name" onChange={narrow} />
      </FilterBar>
      <Panel flush>
        <PagedTable
          of={read}
          list={({ partners }) => partners}
          empty={
            <Empty icon={<IconBuildingBank />} title={words ? 'No matching partner' : 'No partners yet'} />
          }
          label="Partners"
          linked
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'Partner',
              text: ({ name }) => name,
              cell: ({ id, name }) => <RowLink href={`/platform/partners/${id}`}>{name}</RowLink>,
            },
            { name: 'Centers', right: true, cell: ({ centerCount }) => centerCount.toLocaleString() },
            { name: 'Members', right: true, cell: ({ memberCount }) => memberCount.toLocaleString() },
            { name: 'Since', right: true, cell: ({ createdAt }) => <Day at={createdAt} /> },
          ]}
          words={(total) => count(total, 'partner')}
          onPage={change}
        />
      </Panel>
      <OnboardPartner opened={opened} onClose={close} onDone={read.reload} />
    </Page>
  );
}
