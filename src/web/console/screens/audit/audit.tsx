import { Button, Drawer, MultiSelect, TextInput } from '@mantine/core';
import { IconDownload, IconHistory, IconSearch } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { usePages } from '../../graphql/use-pages.ts';
import { useHappens } from '../../session/live-center.tsx';
import { auditTypes, auditWords, inShort } from '../../text/audit.ts';
import { fromWhere, when, who } from '../../ui/audit-columns.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { DayRange } from '../../ui/day-range.tsx';
import { Facts } from '../../ui/facts.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { JsonText } from '../../ui/json.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { Exactly } from '../../ui/time.tsx';
import { useListAddress } from '../../ui/use-list-address.ts';
import { Entries, type Entry } from './entries.ts';
import { useAuditExport } from './use-audit-export.ts';

const route = getRouteApi('/inside/c/$center/audit');
const PAGE = 50;

export function AuditScreen() {
  const { center } = route.useParams();
  const { shown: asked, change, narrow } = useListAddress(route.useSearch());
  const { types, target, from, to, after, before } = asked;
  const [shown, setShown] = useState<Entry | null>(null);
  const filter = {
    ...(types && { types: types.split(',') }),
    ...(target && { target }),
    ...(from && { from: new Date(`${from}T00:00`).toISOString() }),
    ...(to && { to: new Date(`${to}T24:00`).toISOString() }),
  };
  const read = usePages(Entries, PAGE, { after, before }, { filter });
  useHappens('any', read.reload);
  const { busy, download } = useAuditExport(filter, center);
  const columns: Column<Entry>[] = [
    {
      name: 'What',
      cell: (entry) => (
        <button type="button" className="row-button" onClick={() => setShown(entry)}>
          <strong>{auditWords(entry.type)}</strong>
          <span>{inShort(entry.detail)}</span>
        </button>
      ),
    },
    who,
    fromWhere,
    when,
  ];
  return (
    <Page
      title="Audit log"
      intro="What was done here, by whom and from where. Every entry is linked to the one before: none can vanish."
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          loading={busy}
          onClick={() => void download()}
        >
          Export as CSV
        </Button>
      }
    >
      <FilterBar>
        <TextInput
          aria-label="Id"
          placeholder="The id of what was changed"
          leftSection={<IconSearch size={16} />}
          defaultValue={target ?? ''}
          onBlur={({ currentTarget }) => narrow({ target: currentTarget.value.trim() || undefined })}
          onKeyDown={({ key, currentTarget }) =>
            key === 'Enter' && narrow({ target: currentTarget.value.trim() || undefined })
          }
        />
        <MultiSelect
          aria-label="Kinds"
          placeholder={types ? '' : 'Any kind'}
          clearable
          data={auditTypes.map((value) => ({ value, label: auditWords(value) }))}
          value={types?.split(',') ?? []}
          onChange={(value) => narrow({ types: value.join(',') || undefined })}
        />
        <DayRange from={from} to={to} onChange={narrow} />
      </FilterBar>
      <Panel flush>
        <PagedTable
          of={read}
          list={({ auditEntries }) => auditEntries}
          empty={<Empty icon={<IconHistory />} title="Nothing fits this filter" />}
          label="Audit log"
          columns={columns}
          keyOf={({ id }) => id}
          onPage={change}
        />
      </Panel>
      <Drawer
        opened={shown !== null}
        onClose={() => setShown(null)}
        position="right"
        title={shown ? auditWords(shown.type) : ''}
      >
        {shown && (
          <>
            <Facts
              of={[
                ['When', <Exactly key="w" at={shown.occurredAt} />],
                ['Who', shown.actorEmail ?? shown.actorId ?? 'The service'],
                ['From', shown.ip],
                ['What', shown.target && <Copyable key="t" value={shown.target} label="Copy the id" />],
                ['Record', `Number ${shown.chainIndex.toLocaleString()} of the audit chain`],
              ]}
            />
            <div style={{ marginTop: 20 }}>
              <JsonText value={shown.detail} label="Detail" />
            </div>
          </>
        )}
      </Drawer>
    </Page>
  );
}
