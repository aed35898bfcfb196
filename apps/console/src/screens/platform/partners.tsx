import { useDisclosure } from '@mantine/hooks';
import { IconBuildingBank } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { graphql } from '../../graphql/graphql.ts';
import { useBusiness } from '../../session/live-business.tsx';
import { count } from '../../text/labels.ts';
import { useCommand } from '../../ui/commands.ts';
import { Filters } from '../../ui/filters.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Empty } from '../../ui/states.tsx';
import { Day } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
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

export default function PartnersScreen() {
  const [opened, { open, close }] = useDisclosure();
  useCommand('new-partner', open);
  const read = useList(Partners, route.useSearch(), ({ search }) => ({ search }));
  useBusiness(['centers'], read.reload);
  return (
    <Page
      title="Partners"
      intro="Organizations that own centers."
      actions={<NewButton onClick={open}>New partner</NewButton>}
    >
      <Filters of={read} search="Search name" />
      <PagedTable
        of={read}
        empty={
          <Empty
            icon={<IconBuildingBank />}
            title={read.shown.search ? 'No matching partner' : 'No partners yet'}
          />
        }
        label="Partners"
        linked
        columns={[
          { name: 'Partner', text: ({ name }) => name, href: ({ id }) => `/platform/partners/${id}` },
          { name: 'Centers', right: true, cell: ({ centerCount }) => centerCount.toLocaleString() },
          { name: 'Members', right: true, cell: ({ memberCount }) => memberCount.toLocaleString() },
          { name: 'Since', right: true, cell: ({ createdAt }) => <Day at={createdAt} /> },
        ]}
        words={(total) => count(total, 'partner')}
      />
      <OnboardPartner opened={opened} onClose={close} onDone={read.reload} />
    </Page>
  );
}
