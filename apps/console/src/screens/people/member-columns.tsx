import { roleNames } from '../../text/roles.ts';
import type { Column } from '../../ui/column.ts';

export interface ListedMember {
  name: string;
  email: string | null;
  role: string;
  centerName: string;
  centerVertical: string;
}

/** The columns of a list of members of several centers: who, where and in which role, and the given ones. */
export const memberColumns = <Member extends ListedMember>(...others: Column<Member>[]): Column<Member>[] => [
  { name: 'Person', text: ({ name }) => name, below: ({ name, email }) => email !== name && email },
  { name: 'Email', fileOnly: true, cell: ({ email }) => email },
  { name: 'Center', cell: ({ centerName }) => centerName },
  { name: 'Role', cell: ({ role, centerVertical }) => roleNames(centerVertical).one(role) },
  ...others,
];
