import { Button, Select } from '@mantine/core';
import { IconCalendarPlus } from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRoleNames, useSession, useZone } from '../../session/session-context.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useRefresh } from '../../ui/use-refresh.ts';
import { BookDialog, type BookingDraft, useInstructors } from './book.tsx';
import classes from './calendar.module.css';
import { Hours } from './hours.tsx';
import { useSchedule } from './schedule.ts';
import { anchorOf, ScheduleBoard } from './schedule-board.tsx';
import { mondayOf } from './week.ts';

const route = getRouteApi('/inside/c/$center/calendar');

/** The bookings of the center by week, and the hours available for booking. */
export default function CalendarScreen() {
  const { center } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const { me } = useSession();
  const zone = useZone();
  const roles = useRoleNames();
  const [draft, setDraft] = useState<BookingDraft | null>(null);
  const own = me.role === 'INSTRUCTOR';
  const instructorId = own ? me.actorId : search.instructor;
  const change = (changes: Partial<typeof search>) =>
    void navigate({
      to: '/c/$center/calendar',
      params: { center },
      search: { ...search, ...changes },
      replace: true,
    });
  const choices = useInstructors();
  const read = useSchedule({ from: mondayOf(anchorOf(search, zone)), days: 7, instructorId });
  useRefresh(read.reload);
  return (
    <Page
      title="Calendar"
      intro={`Bookings and hours, in the time of the center (${zone}).`}
      actions={
        <Button
          leftSection={<IconCalendarPlus size={16} />}
          onClick={() => setDraft({ instructorId, day: search.week })}
        >
          Book
        </Button>
      }
    >
      <ScheduleBoard
        read={read}
        shown={search}
        onShow={change}
        mayCancel
        showsFree
        onFree={(slot) => setDraft(slot)}
        filters={
          !own && (
            <Select
              aria-label={roles.one('INSTRUCTOR')}
              placeholder={`All ${roles.manyInText('INSTRUCTOR')}`}
              clearable
              searchable
              data={choices}
              value={instructorId ?? null}
              onChange={(value) => change({ instructor: value ?? undefined })}
            />
          )
        }
      />
      {instructorId ? (
        <Hours
          key={instructorId}
          instructorId={instructorId}
          own={own}
          name={choices.find(({ value }) => value === instructorId)?.label}
          onChanged={read.reload}
        />
      ) : (
        <Panel title="Hours">
          <p className={classes.quiet}>
            Choose a {roles.oneInText('INSTRUCTOR')} to view and edit their hours.
          </p>
        </Panel>
      )}
      <BookDialog draft={draft} onClose={() => setDraft(null)} onDone={read.reload} />
    </Page>
  );
}
