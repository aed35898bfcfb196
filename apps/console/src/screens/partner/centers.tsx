import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBuildingCommunity, IconPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { usePages } from '../../graphql/use-pages.ts';
import { useBusiness } from '../../session/live-business.tsx';
import { centerStates, count, stateOf, tenantLabels, verticalLabels } from '../../text/labels.ts';
import { CenterActions } from '../../ui/center-actions.tsx';
import { useCommand } from '../../ui/commands.ts';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { RowLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { CenterState } from '../../ui/state-pill.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { Day } from '../../ui/time.tsx';
import { useListAddress } from '../../ui/use-list-address.ts';
import { CenterMenus } from './center-menu.tsx';
import { type PartnerCenter, PartnerCenters } from './centers-list.ts';
import { NewCenterDialog } from './new-center.tsx';
import classes from './partner.module.css';

const route = getRouteApi('/inside/partner/centers');
const PAGE = 25;

const columns: Column<PartnerCenter>[] = [
  {
    name: 'Center',
    text: ({ name }) => name,
    cell: ({ id, name, centerDomain, customDomain }) => (
      <>
        <RowLink href={`/partner/centers/${id}`}>{name}</RowLink>
        <span className={classes.place}>{customDomain ?? centerDomain}</span>
      </>
    ),
  },
  { name: 'Vertical', wideOnly: true, cell: ({ vertical }) => verticalLabels[vertical] },
  { name: 'Kind', wideOnly: true, cell: ({ tenantType }) => tenantLabels[tenantType] },
  {
    name: 'Address',
    fileOnly: true,
    cell: ({ customDomain, centerDomain }) => customDomain ?? centerDomain,
  },
  {
    name: 'Status',
    text: ({ status }) => stateOf(centerStates, status)[0],
    cell: ({ status }) => <CenterState status={status} />,
  },
  { name: 'Members', right: true, cell: ({ memberCount }) => memberCount.toLocaleString() },
  { name: 'Since', right: true, wideOnly: true, cell: ({ createdAt }) => <Day at={createdAt} /> },
  {
    name: 'Actions',
    unnamed: true,
    right: true,
    cell: (center) => <CenterActions center={center} />,
  },
];

export function PartnerCentersScreen() {
  const { shown, change, narrow } = useListAddress(route.useSearch());
  const { search: words, after, before } = shown;
  const [opened, { open, close }] = useDisclosure();
  useCommand('new-center', open);
  const read = usePages(PartnerCenters, PAGE, { after, before }, { search: words });
  useBusiness(['done'], read.reload);
  const centers = read.data?.partnerCenters.edges.map(({ node }) => node) ?? [];
  return (
    <Page
      title="Centers"
      intro="Your centers. To create a center, invite its administrator."
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={open}>
          New center
        </Button>
      }
    >
      <FilterBar>
        <SearchField initial={words ?? ''} placeholder="Search name or address" onChange={narrow} />
      </FilterBar>
      <Panel flush>
        <CenterMenus centers={centers} onDone={read.reload}>
          <PagedTable
            of={read}
            list={({ partnerCenters }) => partnerCenters}
            empty={
              <Empty icon={<IconBuildingCommunity />} title={words ? 'No matching center' : 'No centers yet'}>
                {words ? 'Try a shorter search.' : 'Create the first one.'}
              </Empty>
            }
            label="Centers"
            linked
            columns={columns}
            keyOf={({ id }) => String(id)}
            words={(total) => count(total, 'center')}
            ways={['Previous', 'Next']}
            onPage={change}
          />
        </CenterMenus>
      </Panel>
      <NewCenterDialog opened={opened} onClose={close} onDone={read.reload} />
    </Page>
  );
}
