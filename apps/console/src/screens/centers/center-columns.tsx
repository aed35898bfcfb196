import { verticalLabels } from '../../text/labels.ts';
import { RowLink } from '../../ui/link.tsx';
import { RowMenuButton } from '../../ui/row-menu.tsx';
import { centerStatus } from '../../ui/state-pill.tsx';
import { actionsColumn, type Column } from '../../ui/table.tsx';
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
  {
    name: 'Center',
    text: ({ name }) => name,
    cell: (center) => (
      <>
        <RowLink href={`${pages}/${center.id}`}>{center.name}</RowLink>
        <span className="subline">{addressOf(center)}</span>
      </>
    ),
  },
  ...others,
  { name: 'Address', fileOnly: true, cell: addressOf },
  centerStatus,
  { name: 'Members', right: true, cell: ({ memberCount }) => memberCount.toLocaleString() },
  { name: 'Since', right: true, wideOnly: true, cell: ({ createdAt }) => <Day at={createdAt} /> },
  actionsColumn(
    ({ id, name, status }) =>
      status !== 'INACTIVE' && <RowMenuButton row={String(id)} label={`Actions for ${name}`} />,
  ),
];
