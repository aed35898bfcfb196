import { Button, Checkbox, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconChecklist } from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../graphql/use-read.ts';
import { useDecisionsHappen } from '../../session/live-center.tsx';
import { count, headlineOf } from '../../text/labels.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, Lines, Loaded } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import { ApprovalDetail } from './approval-detail.tsx';
import classes from './approvals.module.css';
import { DecideTogether } from './decide-together.tsx';
import { Inbox, reasonWords, type Waiting } from './requests.ts';
import { RiskMark } from './risk.tsx';

const route = getRouteApi('/inside/c/$center/approvals');

/** Everything that waits for a person, and room to decide it. */
export function ApprovalsScreen() {
  const inbox = useRead(Inbox, {});
  useDecisionsHappen(inbox.reload);
  return (
    <Page
      title="Approvals"
      intro="What agents and people want to do and may not do alone. What you decide here is sealed with your name."
    >
      <Loaded of={inbox} skeleton={<Lines count={8} />}>
        {({ approvalsForMe: { edges, pageInfo } }) =>
          edges.length === 0 ? (
            <Empty icon={<IconChecklist />} title="Nothing waits for you">
              New requests appear here by themselves, the moment they come in.
            </Empty>
          ) : (
            <Desk
              waiting={edges.map(({ node: { event, reason } }) => ({ ...event, reason }))}
              hasMore={pageInfo.hasNextPage}
              onDecided={inbox.reload}
            />
          )
        }
      </Loaded>
    </Page>
  );
}

interface DeskProps {
  waiting: Waiting[];
  hasMore: boolean;
  onDecided: () => void;
}

function Desk({ waiting, hasMore, onDecided }: DeskProps) {
  const { event } = route.useSearch();
  const { center } = route.useParams();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<string[]>([]);
  const at = waiting.findIndex(({ id }) => id === event);
  const current = waiting[at] ?? null;
  const show = (id: string | undefined) =>
    void navigate({
      to: '/c/$center/approvals',
      params: { center },
      search: { event: id },
      replace: event !== undefined,
    });
  const step = (by: number) => {
    const next = waiting[at === -1 ? 0 : Math.min(Math.max(at + by, 0), waiting.length - 1)];
    if (next) show(next.id);
  };
  const toggle = (id: string) =>
    setChosen((known) => (known.includes(id) ? known.filter((each) => each !== id) : [...known, id]));
  useHotkeys([
    ['j', () => step(1)],
    ['k', () => step(-1)],
    ['x', () => current && toggle(current.id)],
    ['Escape', () => show(undefined)],
  ]);
  const selected = waiting.filter(({ id }) => chosen.includes(id));
  const decided = () => {
    const next = waiting[at + 1] ?? waiting[at - 1];
    show(next?.id);
    onDecided();
  };
  return (
    <div className={classes.desk} data-open={event !== undefined || undefined}>
      <div className={classes.queue}>
        <div className={classes.queueHead}>
          <span>
            {hasMore ? 'The newest ' : ''}
            {count(waiting.length, 'request')}
          </span>
          <span className={classes.keys}>
            <Kbd size="xs">j</Kbd> <Kbd size="xs">k</Kbd> to move, <Kbd size="xs">x</Kbd> to choose
          </span>
        </div>
        <ul className={classes.list} aria-label="Waiting requests">
          {waiting.map((item) => (
            <li key={item.id} className={classes.item} data-current={item.id === event || undefined}>
              <Checkbox
                size="xs"
                aria-label={`Choose ${headlineOf(item.action)}`}
                checked={chosen.includes(item.id)}
                onChange={() => toggle(item.id)}
              />
              <button
                type="button"
                className={classes.open}
                onClick={() => show(item.id)}
                aria-current={item.id === event || undefined}
              >
                <span className={classes.headline}>{headlineOf(item.action)}</span>
                <span className={classes.who}>
                  {item.actor.name ?? item.actor.id} · <Ago at={item.createdAt} />
                  {reasonWords[item.reason] && <> · {reasonWords[item.reason]}</>}
                </span>
              </button>
              <RiskMark risk={item.riskScore} />
            </li>
          ))}
        </ul>
        {hasMore && (
          <p className={classes.more}>
            The newest {waiting.length} are shown; the rest follows as you decide.
          </p>
        )}
        {selected.length > 0 && (
          <DecideTogether
            chosen={selected}
            onDone={() => {
              setChosen([]);
              onDecided();
            }}
          />
        )}
      </div>
      <div className={classes.detail}>
        {event ? (
          <>
            <Button variant="subtle" size="xs" className={classes.back!} onClick={() => show(undefined)}>
              ← All requests
            </Button>
            <ApprovalDetail key={event} id={event} onDecided={decided} />
          </>
        ) : (
          <div className={classes.choose}>
            <Empty icon={<IconChecklist />} title="Choose a request">
              Open one from the list, or press <Kbd size="xs">j</Kbd> to begin with the first.
            </Empty>
          </div>
        )}
      </div>
    </div>
  );
}
