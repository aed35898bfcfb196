import { Group } from '@mantine/core';
import { useCenter } from '../../session/session-context.ts';
import { count } from '../../text/labels.ts';
import { RowLink } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useWaiting } from './use-waiting.ts';

interface Props {
  /** Bookings that the person has to confirm or decline. */
  bookings?: number;
}

/** What waits for the person: requests, questions of workflows and bookings. Nothing if there is none. */
export function WaitingPanel({ bookings = 0 }: Props) {
  const { centerDomain } = useCenter();
  const { requests, questions } = useWaiting();
  const lines = [
    requests > 0 && {
      text: `${requests >= 100 ? '99+ requests' : count(requests, 'request')} to approve or reject.`,
      link: 'Open the requests',
      path: 'approvals',
    },
    questions > 0 && {
      text: `${count(questions, 'question')} from workflows to answer.`,
      link: 'Open the questions',
      path: 'approvals',
    },
    bookings > 0 && {
      text: `${count(bookings, 'booking')} to confirm or decline.`,
      link: 'Open the calendar',
      path: 'calendar',
    },
  ].filter((line) => line !== false);
  if (lines.length === 0) return null;
  return (
    <Panel title="Waiting for you" tone="warn">
      {lines.map(({ text, link, path }) => (
        <Group key={link} justify="space-between">
          <span>{text}</span>
          <RowLink href={`/c/${centerDomain}/${path}`}>{link}</RowLink>
        </Group>
      ))}
    </Panel>
  );
}
