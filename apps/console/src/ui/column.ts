import type { ReactNode } from 'react';

export interface Column<Row> {
  /** The heading, and the name of the value where rows become cards. */
  name: string;
  cell: (row: Row) => ReactNode;
  /** The value in an exported file; needed where the cell is not plain text. */
  text?: (row: Row) => string | number | null | undefined;
  /** Only in exported files. */
  fileOnly?: boolean;
  /** Aligned right: numbers and buttons. */
  right?: boolean;
  /** Hidden on phones. */
  wideOnly?: boolean;
  /** The heading is visually hidden: buttons, checkboxes. */
  unnamed?: boolean;
}
