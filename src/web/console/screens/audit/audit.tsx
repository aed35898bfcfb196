import { Button, Drawer, MultiSelect, TextInput } from '@mantine/core';
import { IconDownload, IconHistory, IconSearch } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { usePages } from '../../graphql/use-pages.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useHappens } from '../../session/live-center.tsx';
import { useRoleNames } from '../../session/session-context.ts';
import { auditTypes, auditWords, inShort } from '../../text/audit.ts';
import { momentIn } from '../../text/time.ts';
import { fromWhere, nameOfActor, when, who } from '../../ui/audit-columns.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { DayRange } from '../../ui/day-range.tsx';
import { Facts } from '../../ui/facts.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { JsonText } from '../../ui/json.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { Exactly } from '../../ui/time.tsx';
import { useListAddress } from '../../ui/use-list-address.ts';
import { useTimes } from '../../ui/zone.tsx';
import { Entries, type Entry, People } from './entries.ts';
import { useAuditExport } from './use-audit-export.ts';

const route = getRouteApi('/inside/c/$center/audit');
const PAGE = 50;

export function AuditScreen() {
  const { center } = route.useParams();
  const { shown: asked, change, narrow } = useListAddress(route.useSearch());
  const { types, target, person, from, to, after, before } = asked;
  const [shown, setShown] = useState<Entry | null>(null);
  const { zone } = useTimes();
  const filter = {
    ...(types && { types: types.split(',') }),
    ...(target && { target }),
    ...(person && { actorId: person }),
    ...(from && { from: momentIn(zone, `${from}T00:00`) }),
    ...(to && { to: momentIn(zone, `${to}T24:00`) }),
  };
  const roles = useRoleNames();
  const people = useRead(People, {});
  const choices = (people.data?.members.edges ?? []).flatMap(({ node: { actorId, name } }) =>
    actorId ? [{ value: actorId, label: name }] : [],
  );
  const read = usePages(Entries, PAGE, { after, before }, { filter });
  useHappens('any', read.reload);
  const { busy, download } = useAuditExport(filter, center);
  const columns: Column<Entry>[] = [
    {
      name: 'What',
      cell: (entry) => (
        <button type="button" className="row-button" onClick={() => setShown(entry)}>
          <strong>{auditWords(entry.type)}</strong>
          <span>{[entry.subject?.name, inShort(entry.detail, roles)].filter(Boolean).join(' · ')}</span>
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
        <FilterSelect
          name="person"
          label="Person"
          placeholder="Anybody"
          choices={choices}
          value={person}
          onChange={narrow}
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
                ['Who', nameOfActor(shown)],
                ['From', shown.ip],
                ['What', shown.subject && <SubjectLink key="s" subject={shown.subject} center={center} />],
                ['Its id', shown.target && <Copyable key="t" value={shown.target} label="Copy the id" />],
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

interface SubjectLinkProps {
  subject: NonNullable<Entry['subject']>;
  center: string;
}

/** Leads to what the entry is about. */
function SubjectLink({ subject: { kind, id, name }, center }: SubjectLinkProps) {
  switch (kind) {
    case 'DECISION':
      return (
        <TextLink to="/c/$center/decisions/$id" params={{ center, id }}>
          {name}
        </TextLink>
      );
    case 'WEBHOOK':
      return (
        <TextLink to="/c/$center/webhooks/$id" params={{ center, id }}>
          {name}
        </TextLink>
      );
    case 'WORKFLOW':
      return (
        <TextLink to="/c/$center/workflows/$id" params={{ center, id }}>
          {name}
        </TextLink>
      );
    case 'MEMBER':
      return (
        <TextLink to="/c/$center/people" params={{ center }} search={{ search: name }}>
          {name}
        </TextLink>
      );
    default:
      return name;
  }
}
