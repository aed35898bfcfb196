import { printable } from '@countersign/proof-kit/printable';
import { Button, CloseButton, Drawer } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { useRoleNames } from '../../session/session-context.ts';
import { auditSummary } from '../../text/audit.ts';
import { auditTitle } from '../../text/audit-titles.ts';
import { recordNumber } from '../../text/chains.ts';
import { momentIn } from '../../text/time.ts';
import { AuditKinds, fromWhere, nameOfActor, when, who } from '../../ui/audit-columns.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { DayRange } from '../../ui/day-range.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Filters } from '../../ui/filters.tsx';
import { JsonText } from '../../ui/json.tsx';
import { RowLink, TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { ExactTime } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { useTimes } from '../../ui/zone.tsx';
import { ActorFilter } from './actor-filter.tsx';

const Entries = graphql(`
  query Entries($first: Int, $last: Int, $after: String, $before: String, $filter: AuditFilter) {
    auditEntries(first: $first, last: $last, after: $after, before: $before, filter: $filter) {
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { node { id type actorId actorName actorEmail subject { kind id name } mentions { id name } target detail ip occurredAt chainIndex } }
    }
  }
`);

type Entry = ResultOf<typeof Entries>['auditEntries']['edges'][number]['node'];

const route = getRouteApi('/inside/c/$center/audit');
type Search = ReturnType<typeof route.useSearch>;

export default function AuditScreen() {
  const { center } = route.useParams();
  const [shown, setShown] = useState<Entry | null>(null);
  const times = useTimes();
  const { zone } = times;
  const roles = useRoleNames();
  const filterOf = ({ types, target, person, from, to }: Search) => ({
    ...(types && { types: types.split(',') }),
    ...(target && { target }),
    ...(person && { actorId: person }),
    ...(from && { from: momentIn(zone, `${from}T00:00`) }),
    ...(to && { to: momentIn(zone, `${to}T24:00`) }),
  });
  const read = useList(Entries, route.useSearch(), (search) => ({ filter: filterOf(search) }), 50);
  const { narrow } = read;
  const { target, person } = read.shown;
  const entries = read.data?.auditEntries.edges.map(({ node }) => node) ?? [];
  const about = entries.find((entry) => entry.target === target)?.subject?.name;
  const actor = entries.find(({ actorId }) => actorId === person);
  useAuditEvents('any', read.reload);
  const columns: Column<Entry>[] = [
    {
      name: 'What',
      text: auditTitle,
      cell: (entry) => (
        <button type="button" className="row-button" onClick={() => setShown(entry)}>
          <strong>{auditTitle(entry)}</strong>
          <span>{auditSummary(entry, { roles, times })}</span>
        </button>
      ),
    },
    {
      name: 'To whom or what',
      text: ({ subject }) => subject?.name,
      cell: ({ subject }) => subject && <SubjectLink subject={subject} center={center} />,
    },
    { name: 'Details', fileOnly: true, cell: (entry) => auditSummary(entry, { roles, whole: true }) },
    who,
    fromWhere,
    when,
    { name: 'Record', fileOnly: true, cell: ({ chainIndex }) => chainIndex + 1 },
  ];
  return (
    <Page
      title="Audit log"
      intro="Who did what to whom, and from where. Every entry is linked to the one before, so none can be removed unnoticed."
    >
      <Filters of={read}>
        <ActorFilter
          value={person}
          name={actor && nameOfActor(actor)}
          onChange={(actorId) => narrow({ person: actorId })}
        />
        <AuditKinds of={read} />
        <DayRange of={read} />
        {target && (
          <Button
            variant="light"
            color="gray"
            rightSection={<CloseButton component="span" size="xs" aria-hidden />}
            onClick={() => narrow({ target: undefined })}
          >
            {about ? printable(about) : 'One person or thing'}
          </Button>
        )}
      </Filters>
      <PagedTable
        of={read}
        empty={<Empty icon={<IconHistory />} title="No matching entries" />}
        label="Audit log"
        linked
        columns={columns}
      />
      <Drawer
        opened={shown !== null}
        onClose={() => setShown(null)}
        position="right"
        title={shown ? auditTitle(shown) : ''}
      >
        {shown && (
          <>
            <Facts
              of={{
                When: <ExactTime at={shown.occurredAt} />,
                Who: nameOfActor(shown),
                From: shown.ip,
                'To whom or what': shown.subject && <SubjectLink subject={shown.subject} center={center} />,
                Details: auditSummary(shown, { roles, times, whole: true }),
                Record: `Number ${recordNumber(shown.chainIndex)} of the audit chain`,
              }}
            />
            {shown.target && (
              <Button
                variant="default"
                mt={16}
                onClick={() => {
                  narrow({ target: shown.target ?? undefined });
                  setShown(null);
                }}
              >
                Show all entries about {shown.subject ? printable(shown.subject.name) : 'this'}
              </Button>
            )}
            <details className="technical">
              <summary>Technical details</summary>
              {shown.target && <Copyable value={shown.target} label="Copy the id" />}
              <JsonText value={shown.detail} label="Detail" />
            </details>
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

/** Subjects with a page. */
const subjectPages: Partial<Record<string, string>> = {
  DECISION: 'decisions',
  POLICY: 'policies',
  WEBHOOK: 'webhooks',
  WORKFLOW: 'workflows',
};

function SubjectLink({ subject: { kind, id, name: raw }, center }: SubjectLinkProps) {
  const name = printable(raw);
  const page = subjectPages[kind];
  if (page) return <RowLink href={`/c/${center}/${page}/${id}`}>{name}</RowLink>;
  if (kind === 'GROUP')
    return (
      <TextLink to="/c/$center/groups" params={{ center }}>
        {name}
      </TextLink>
    );
  if (kind !== 'MEMBER') return name;
  return (
    <TextLink to="/c/$center/people" params={{ center }} search={{ search: raw }}>
      {name}
    </TextLink>
  );
}
