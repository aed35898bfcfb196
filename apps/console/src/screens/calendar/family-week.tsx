import { Button, Select } from '@mantine/core';
import { IconCalendarPlus, IconHeartHandshake } from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useCenter, useRoleNames, useSession, useZone } from '../../session/session-context.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty, Lines, Loaded } from '../../ui/states.tsx';
import { useRefresh } from '../../ui/use-refresh.ts';
import { Agenda } from './agenda.tsx';
import { BookDialog, type BookingDraft } from './book.tsx';
import { useSchedule } from './schedule.ts';
import { anchorOf, ScheduleBoard } from './schedule-board.tsx';
import { dayIn, mondayOf } from './week.ts';

const Family = graphql(`query Family { bookingGuests { actorId name } }`);

const route = getRouteApi('/inside/c/$center/');

/** The week of a child, or of a parent's children, with the actions that the center allows a parent. */
export default function FamilyWeekScreen() {
  const { center } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const { me } = useSession();
  const { settings } = useCenter();
  const roles = useRoleNames();
  const zone = useZone();
  const [draft, setDraft] = useState<BookingDraft | null>(null);
  const isParent = me.role === 'PARENT';
  const mayBook = isParent && (settings as { guardianBooking?: boolean }).guardianBooking !== false;
  const family = useRead(Family, {}, { pause: !isParent });
  const people = family.data?.bookingGuests ?? [];
  const children = people.filter(({ actorId }) => actorId !== me.actorId);
  const forActorId = people.some(({ actorId }) => actorId === search.person) ? search.person : undefined;
  const shown = useSchedule({ from: mondayOf(anchorOf(search, zone)), days: 7, forActorId });
  const next = useSchedule({ from: dayIn(zone, new Date()), days: 7, forActorId });
  const reload = () => {
    shown.reload();
    next.reload();
  };
  useRefresh(reload);
  const change = (changes: Partial<typeof search>) =>
    void navigate({
      to: '/c/$center',
      params: { center },
      search: { ...search, ...changes },
      replace: true,
    });
  return (
    <Page
      title={isParent ? 'Your family’s week' : 'Your week'}
      intro={`Bookings in the time of the center (${zone}).${
        isParent && !mayBook ? ' To book or cancel, contact the center.' : ''
      }`}
      actions={
        mayBook && (
          <Button
            leftSection={<IconCalendarPlus size={16} />}
            onClick={() => setDraft({ day: search.week, person: people.find(isPerson(forActorId)) })}
          >
            Book
          </Button>
        )
      }
    >
      {isParent && family.data && children.length === 0 && (
        <Panel>
          <Empty
            small
            icon={<IconHeartHandshake />}
            title={`No ${roles.manyInText('CHILD')} are linked to you yet`}
          >
            The center links them to you. Until then, you see your own bookings.
          </Empty>
        </Panel>
      )}
      <Panel title="Next 7 days" flush>
        <Loaded of={next} skeleton={<Lines count={3} />} small>
          {({ bookings }) =>
            bookings.length === 0 ? (
              <Empty small icon={<IconCalendarPlus />} title="Nothing is booked" />
            ) : (
              <Agenda bookings={bookings} withDay mayCancel={mayBook} onChanged={reload} />
            )
          }
        </Loaded>
      </Panel>
      <ScheduleBoard
        read={shown}
        shown={search}
        onShow={change}
        mayCancel={mayBook}
        showsFree={mayBook}
        filters={
          children.length > 0 && (
            <Select
              aria-label={roles.one('CHILD')}
              placeholder="Everyone"
              clearable
              data={children.map(({ actorId, name }) => ({ value: actorId, label: name }))}
              value={forActorId ?? null}
              onChange={(person) => change({ person: person ?? undefined })}
            />
          )
        }
      />
      {mayBook && <BookDialog draft={draft} onClose={() => setDraft(null)} onDone={reload} />}
    </Page>
  );
}

const isPerson = (id: string | undefined) => (person: { actorId: string }) => person.actorId === id;
