import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { isValidElement, type ReactNode, useState } from 'react';
import { csv } from '../text/format.ts';
import type { Column } from './column.ts';
import classes from './csv-button.module.css';
import { saveFile } from './save-file.ts';

/** The value of a cell in a file: from the column, or the text of the cell, with times in full. */
function cellValue<Row>({ text, cell }: Column<Row>, row: Row): unknown {
  return text ? text(row) : textOf(cell?.(row));
}

function textOf(node: ReactNode): string | number | null {
  if (typeof node === 'string' || typeof node === 'number') return node;
  if (Array.isArray(node)) return node.map((part) => textOf(part) ?? '').join('');
  if (!isValidElement<{ at?: string; children?: ReactNode }>(node)) return null;
  return node.props.at ?? textOf(node.props.children);
}

function tableAsCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const named = columns.filter(({ unnamed }) => !unnamed);
  return csv(
    named.map(({ name }) => name),
    rows.map((row) => named.map((column) => cellValue(column, row))),
  );
}

const icon = <IconDownload size={14} aria-hidden="true" />;

interface CsvButtonProps<Row> {
  /** The name of the list and of the file. */
  label: string;
  columns: readonly Column<Row>[];
  /** All rows, not only those on the screen. */
  load: () => Promise<readonly Row[]>;
}

/** Saves a whole list as a file. */
export function CsvButton<Row>({ label, columns, load }: CsvButtonProps<Row>) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const name = label.toLowerCase().replace(/[^a-z0-9]+/g, '-');
      saveFile(`${name}.csv`, tableAsCsv(columns, await load()), 'text/csv');
    } catch (error) {
      notifications.show({ color: 'red', title: 'The export failed', message: (error as Error).message });
    }
    setBusy(false);
  };
  return (
    <button type="button" className={classes.save} disabled={busy} onClick={() => void save()}>
      {icon}
      {busy ? 'Exporting…' : 'Export as CSV'}
    </button>
  );
}
