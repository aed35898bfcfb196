import { verticalLabels } from '../../text/labels.ts';
import { centerStatus } from '../../ui/state-pill.tsx';
import { type Column, menuColumn } from '../../ui/table.tsx';
import { Day } from '../../ui/time.tsx';

interface ListedCenter {
  id: number;
  name: string;
  centerDomain: string;
  customDomain?: string | null;
  vertical: string;
  status: string;
  memberCount: number;
  createdAt: string;
}

const addressOf = ({ customDomain, centerDomain }: ListedCenter) => customDomain ?? centerDomain;

export const verticalColumn: Column<ListedCenter> = {
  name: 'Vertical',
  wideOnly: true,
  cell: ({ vertical }) => verticalLabels[vertical],
};

/** The columns of a list of centers: those of all lists, and the given ones. Ended centers have no menu. */
export const centerColumns = <Center extends ListedCenter>(
  pages: '/partner/centers' | '/platform/centers',
  ...others: Column<Center>[]
): Column<Center>[] => [
  { name: 'Center', text: ({ name }) => name, href: ({ id }) => `${pages}/${id}`, below: addressOf },
  ...others,
  { name: 'Address', fileOnly: true, cell: addressOf },
  centerStatus,
  { name: 'Members', right: true, cell: ({ memberCount }) => memberCount.toLocaleString() },
  { name: 'Since', right: true, wideOnly: true, cell: ({ createdAt }) => <Day at={createdAt} /> },
  menuColumn(({ status }) => status !== 'INACTIVE'),
];
