import { ActionIcon, Button, CloseButton, Popover, TextInput } from '@mantine/core';
import { IconBookmark } from '@tabler/icons-react';
import { useRouter, useRouterState } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useSession } from '../session/session-context.ts';
import classes from './saved-filters.module.css';

type Search = Record<string, unknown>;

interface SavedFilter {
  name: string;
  search: Search;
}

/** Saved in this browser, for this person and this list. */
function useSaved(path: string) {
  const { me } = useSession();
  const key = `countersign-filters ${me.actorId} ${path}`;
  const [, setVersion] = useState(0);
  const read = (): SavedFilter[] => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? '[]');
    } catch {
      return [];
    }
  };
  const write = (filters: SavedFilter[]) => {
    localStorage.setItem(key, JSON.stringify(filters));
    setVersion((version) => version + 1);
  };
  return { saved: read(), write };
}

/** The filters in an address, without the place in the list. */
function filtersOf({ after: _after, before: _before, event: _event, ...filters }: Search): Search {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

const isSame = (one: Search, other: Search) => JSON.stringify(one) === JSON.stringify(other);

/** Saves the filters of a list under a name, and applies saved ones. */
export function SavedFilters() {
  const router = useRouter();
  const { pathname, search } = useRouterState({ select: ({ location }) => location });
  const { saved, write } = useSaved(pathname);
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState('');
  const current = filtersOf(search as Search);
  const isNew = Object.keys(current).length > 0 && !saved.some((filter) => isSame(filter.search, current));
  const apply = (filters: Search) => {
    setOpened(false);
    void router.navigate({ to: '.', search: filters as never });
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const given = name.trim();
    if (!given) return;
    write([...saved.filter((filter) => filter.name !== given), { name: given, search: current }]);
    setName('');
    setOpened(false);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={280} trapFocus>
      <Popover.Target>
        <ActionIcon
          className={classes.button!}
          variant="default"
          size={36}
          aria-label="Saved filters"
          onClick={() => setOpened(!opened)}
        >
          <IconBookmark size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="Saved filters">
        {saved.length === 0 && !isNew && (
          <p className={classes.hint}>Filter the list, then save the filter here.</p>
        )}
        <ul className={classes.list}>
          {saved.map((filter) => (
            <li key={filter.name}>
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                aria-pressed={isSame(filter.search, current)}
                onClick={() => apply(filter.search)}
              >
                {filter.name}
              </Button>
              <CloseButton
                size="sm"
                aria-label={`Delete the filter ${filter.name}`}
                onClick={() => write(saved.filter((each) => each !== filter))}
              />
            </li>
          ))}
        </ul>
        {isNew && (
          <form className={classes.form} onSubmit={save}>
            <TextInput
              label="Save filter as"
              maxLength={60}
              required
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <Button type="submit" size="sm">
              Save
            </Button>
          </form>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
