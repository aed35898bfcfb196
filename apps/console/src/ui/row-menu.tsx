import { Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import {
  createContext,
  type ReactNode,
  type Ref,
  use,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useState,
} from 'react';
import classes from './row-menu.module.css';

interface RowMenus {
  menuId: string;
  /** The row whose menu is open. */
  openFor: string | null;
  toggle: (row: string, button: HTMLElement) => void;
  close: () => void;
}

const RowMenusContext = createContext<RowMenus | null>(null);

interface RowMenuProps {
  /** The menu items of a row. */
  items: (row: string) => ReactNode;
  /** The table, whose rows hold a RowMenuButton each. */
  children: ReactNode;
}

/**
 * One menu for all rows of a table, opened at the pressed button. A menu in each row would take longer to render than
 * everything else.
 */
export function RowMenu({ items, children }: RowMenuProps) {
  const menuId = useId();
  const [at, setAt] = useState<{ row: string; button: HTMLElement } | null>(null);
  const [opened, setOpened] = useState(false);
  const close = useCallback(() => setOpened(false), []);
  const openFor = opened && at ? at.row : null;
  const menus = useMemo(
    () => ({
      menuId,
      openFor,
      toggle(row: string, button: HTMLElement) {
        setAt({ row, button });
        setOpened(row !== openFor);
      },
      close,
    }),
    [menuId, openFor, close],
  );
  // A closed menu does not render again when the rows change.
  const content = at && items;
  const menu = useMemo(
    () => (
      <Menu
        id={menuId}
        position="bottom-end"
        opened={opened}
        onChange={setOpened}
        onExitTransitionEnd={() => setAt(null)}
      >
        <Menu.Target>
          <At button={at?.button ?? null} />
        </Menu.Target>
        <Menu.Dropdown>{at && content?.(at.row)}</Menu.Dropdown>
      </Menu>
    ),
    [menuId, opened, at, content],
  );
  return (
    <RowMenusContext value={menus}>
      {children}
      {menu}
    </RowMenusContext>
  );
}

/** A placeholder for a button that is elsewhere. */
function At({ button, ref }: { button: HTMLElement | null; ref?: Ref<HTMLElement | null> }) {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => button, [button]);
  return null;
}

interface RowMenuButtonProps {
  row: string;
  label: string;
  /** Before the menu button: the most frequent action. */
  children?: ReactNode;
}

export function RowMenuButton({ row, label, children }: RowMenuButtonProps) {
  const { menuId, openFor, toggle, close } = use(RowMenusContext)!;
  const open = openFor === row;
  // When a row disappears, its menu closes.
  useEffect(() => (open ? close : undefined), [open, close]);
  return (
    <span className={classes.place}>
      {children}
      <button
        type="button"
        className={classes.button}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        {...(open && { id: menuId, 'aria-controls': `${menuId}-dropdown` })}
        onClick={({ currentTarget }) => toggle(row, currentTarget)}
      >
        <IconDots size={18} />
      </button>
    </span>
  );
}
