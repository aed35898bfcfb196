import type { ReactNode } from 'react';

export interface Column<Row> {
  /** The heading, and the name of the value where rows become cards. */
  name: string;
  cell?: (row: Row) => ReactNode;
  /** The value in an exported file, needed where the cell is not plain text. Without a cell, it is the title of the row. */
  text?: (row: Row) => string | number | null | undefined;
  /** The page of the row, to which its title links. */
  href?: (row: Row) => string;
  /** A line below the title. */
  below?: (row: Row) => ReactNode;
  /** Instead of a cell, a button that ends or removes the row, with the name of the column. */
  button?: {
    /** The rest of the accessible name: what the button acts on. */
    about: (row: Row) => string;
    onClick: (row: Row) => void;
    isShown?: (row: Row) => boolean;
  };
  /** Only in exported files. */
  fileOnly?: boolean;
  /** Aligned right: numbers and buttons. */
  right?: boolean;
  /** The share of the table's width in percent. Tables of one page with the same columns set it, so that these are aligned. */
  width?: number;
  /** Hidden on phones. */
  wideOnly?: boolean;
  /** The heading is visually hidden: buttons, checkboxes. */
  unnamed?: boolean;
}
