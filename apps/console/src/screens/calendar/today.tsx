import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendarCheck, IconCalendarPlus, IconCertificate } from '@tabler/icons-react';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useSession, useZone } from '../../session/session-context.ts';
import { count } from '../../text/labels.ts';
import { dayOfMonth } from '../../text/time.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty, Lines, Loaded } from '../../ui/states.tsx';
import { useNow } from '../../ui/use-now.ts';
import { useRefresh } from '../../ui/use-refresh.ts';
import { WaitingPanel } from '../approvals/waiting-panel.tsx';
import { IssueCertificate } from '../certificates/issue-certificate.tsx';
import { Agenda } from './agenda.tsx';
import { BookDialog, type BookingDraft } from './book.tsx';
import classes from './calendar.module.css';
import { type Booking, useSchedule } from './schedule.ts';
import { dayIn, wallTime, weekdayOf } from './week.ts';

const Requests = graphql(`
  query BookingRequests($filter: BookingFilter!) { bookings(first: 1, filter: $filter) { totalCount } }
`);

/** What waits for the signed-in instructor, today's schedule and the next bookings. */
export default function TodayScreen() {
  const { me } = useSession();
  const zone = useZone();
  const today = dayIn(zone, useNow(60_000));
  const [draft, setDraft] = useState<BookingDraft | null>(null);
  const [issuing, { open, close }] = useDisclosure();
  const read = useSchedule({ from: today, days: 7, instructorId: me.actorId });
  const requests = useRead(Requests, {
    filter: { status: 'REQUESTED', instructorId: me.actorId, from: `${today}T00:00:00Z` },
  });
  const reload = () => {
    read.reload();
    requests.reload();
  };
  useRefresh(reload);
  const waiting = requests.data?.bookings.totalCount ?? 0;
  return (
    <Page
      title="Today"
      intro={`${weekdayOf(today)}, ${dayOfMonth(today)}, in the time of the center (${zone}).`}
      actions={
        <>
          <Button variant="default" leftSection={<IconCertificate size={16} />} onClick={open}>
            Issue certificate
          </Button>
          <Button
            leftSection={<IconCalendarPlus size={16} />}
            onClick={() => setDraft({ instructorId: me.actorId })}
          >
            Book
          </Button>
        </>
      }
    >
      <WaitingPanel bookings={waiting} />
      <Panel title="Schedule" flush>
        <Loaded of={read} skeleton={<Lines count={6} />} small>
          {({ bookings }) => {
            const [now, later] = split(bookings, zone, today);
            return (
              <>
                {now.length === 0 ? (
                  <Empty small icon={<IconCalendarCheck />} title="Nothing is booked today">
                    {later.length > 0
                      ? `${count(later.length, 'booking')} in the next days.`
                      : 'Nothing in the next days either.'}
                  </Empty>
                ) : (
                  <Agenda bookings={now} mayCancel onChanged={reload} />
                )}
                {later.length > 0 && (
                  <>
                    <h3 className={classes.later}>Next days</h3>
                    <Agenda bookings={later} withDay mayCancel onChanged={reload} />
                  </>
                )}
              </>
            );
          }}
        </Loaded>
      </Panel>
      <BookDialog draft={draft} onClose={() => setDraft(null)} onDone={reload} />
      <IssueCertificate opened={issuing} onClose={close} />
    </Page>
  );
}

function split(bookings: Booking[], zone: string, today: string): [Booking[], Booking[]] {
  const isToday = ({ startsAt }: Booking) => wallTime(zone, startsAt).day === today;
  return [bookings.filter(isToday), bookings.filter((booking) => !isToday(booking))];
}
