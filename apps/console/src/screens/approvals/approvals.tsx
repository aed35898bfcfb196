import { Button, Checkbox, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconChecklist, IconChevronRight } from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents, useDecisionChanges } from '../../session/live-center.tsx';
import { hasFeature, useIsStaff, useSession } from '../../session/session-context.ts';
import { askerOf, count, headlineOf } from '../../text/labels.ts';
import { Page } from '../../ui/page.tsx';
import { RiskMark } from '../../ui/risk.tsx';
import { PanelsSkeleton } from '../../ui/skeletons.tsx';
import { Empty, Lines, Loaded } from '../../ui/states.tsx';
import { Ago, Countdown } from '../../ui/time.tsx';
import { useRefresh } from '../../ui/use-refresh.ts';
import { ApprovalDetail } from './approval-detail.tsx';
import classes from './approvals.module.css';
import { DecideTogether } from './decide-together.tsx';
import { DecidedBy } from './decided-by.tsx';
import { leftOutcome, type MadeDecision, useDecisionsMade } from './decisions-made.tsx';
import { useLeftDecisions } from './left-decisions.ts';
import { arrange, QueueFilter } from './queue-filter.tsx';
import { Inbox, reasonLabels, type Waiting } from './requests.ts';
import { SideBySide } from './side-by-side.tsx';
import { Questions, WorkflowQuestions } from './workflow-questions.tsx';

const route = getRouteApi('/inside/c/$center/approvals');

/** Pending requests and workflow questions of the user. */
export default function ApprovalsScreen() {
  const { event } = route.useSearch();
  const inbox = useRead(Inbox, {});
  useLeftDecisions(leftOutcome);
  useDecisionChanges(inbox.reload);
  const session = useSession();
  const answers = useIsStaff() && hasFeature(session, 'workflows');
  const questions = useRead(Questions, {}, { pause: !answers });
  useAuditEvents('workflow.executed', questions.reload);
  useRefresh(() => answers && void questions.reload());
  const asked = questions.data?.workflowQuestions;
  return (
    <Page
      title="Approvals"
      intro="Requests of agents, people and workflows that need you. Your decision is recorded with your name."
    >
      {asked && <WorkflowQuestions asked={asked} onAnswered={questions.reload} />}
      <Loaded
        of={inbox}
        skeleton={
          <div className={classes.desk}>
            <div className={classes.queue}>
              <Lines count={8} />
            </div>
            <PanelsSkeleton lines={[8]} />
          </div>
        }
      >
        {({ approvalsForMe: { edges, pageInfo } }) =>
          edges.length === 0 && event === undefined ? (
            asked && asked.totalCount > 0 ? null : (
              <Empty icon={<IconChecklist />} title="You're all caught up">
                New requests appear here as soon as they come in.
              </Empty>
            )
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
  const { event, ...arrangement } = route.useSearch();
  const { center } = route.useParams();
  const navigate = useNavigate();
  const made = useDecisionsMade();
  const [chosen, setChosen] = useState<string[]>([]);
  const [compared, setCompared] = useState<readonly [string, string] | null>(null);
  const { listed, fresh, refresh } = useStillList(waiting, event !== undefined);
  const shown = arrange(listed, arrangement);
  const at = shown.findIndex(({ id }) => id === event);
  const current = shown[at] ?? null;
  const go = (changes: Partial<ReturnType<typeof route.useSearch>>, replace: boolean) =>
    void navigate({
      to: '/c/$center/approvals',
      params: { center },
      search: (now: object) => ({ ...now, ...changes }),
      replace,
    });
  const show = (id: string | undefined) => go({ event: id }, event !== undefined);
  const step = (by: number) => {
    const next = shown[at === -1 ? 0 : Math.min(Math.max(at + by, 0), shown.length - 1)];
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
  const waits = new Set(waiting.map(({ id }) => id));
  const selected = shown.filter(({ id }) => chosen.includes(id) && waits.has(id) && !made.has(id));
  return (
    <div className={classes.desk} data-open={event !== undefined || undefined}>
      <div className={classes.queue}>
        <div className={classes.queueHead}>
          <span>
            {hasMore ? 'The newest ' : ''}
            {count(waiting.length, 'request')}
          </span>
          {fresh > 0 ? (
            <Button size="compact-xs" variant="light" onClick={refresh}>
              Show {count(fresh, 'new request')}
            </Button>
          ) : listed.length === 0 ? null : (
            <span className={classes.keys}>
              <Kbd size="xs">j</Kbd> <Kbd size="xs">k</Kbd> to move, <Kbd size="xs">x</Kbd> to choose
            </span>
          )}
        </div>
        {listed.length > 0 && (
          <QueueFilter waiting={listed} arrangement={arrangement} onChange={(changes) => go(changes, true)} />
        )}
        <ul className={classes.list} aria-label="Waiting requests">
          {shown.map((item) => (
            <li key={item.id} className={classes.item} data-current={item.id === event || undefined}>
              <Checkbox
                size="xs"
                aria-label={`Choose ${headlineOf(item.action)}`}
                checked={chosen.includes(item.id)}
                disabled={!waits.has(item.id) || made.has(item.id)}
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
                  {askerOf(item)} · <Ago at={item.createdAt} />
                  {reasonLabels[item.reason] && <> · {reasonLabels[item.reason]}</>}
                </span>
                <RequestState item={item} made={made.get(item.id)} waits={waits.has(item.id)} />
              </button>
              <RiskMark risk={item.riskScore} />
              <IconChevronRight className={classes.chevron!} size={16} aria-hidden="true" />
            </li>
          ))}
        </ul>
        {shown.length === 0 && (
          <p className={classes.more}>
            {listed.length === 0 ? 'No request waits for you.' : 'No request matches the filter.'}
          </p>
        )}
        {hasMore && (
          <p className={classes.more}>
            The newest {waiting.length} are shown; the rest follows as you decide.
          </p>
        )}
        {selected.length > 0 && (
          <DecideTogether
            chosen={selected}
            onCompare={setCompared}
            onDone={() => {
              setChosen([]);
              onDecided();
            }}
          />
        )}
        <SideBySide ids={compared} onClose={() => setCompared(null)} />
      </div>
      <div className={classes.detail}>
        {event ? (
          <>
            <Button variant="subtle" size="xs" className={classes.back!} onClick={() => show(undefined)}>
              ← All requests
            </Button>
            {waits.has(event) || made.has(event) ? (
              <ApprovalDetail key={event} id={event} onDecided={onDecided} />
            ) : (
              <DecidedBy key={event} id={event}>
                <ApprovalDetail id={event} onDecided={onDecided} />
              </DecidedBy>
            )}
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

/**
 * While a request is open, the list does not change: decided requests keep their place, and new ones wait behind a button.
 * Otherwise a click could hit another row than intended.
 */
function useStillList(waiting: Waiting[], still: boolean) {
  const [kept, setKept] = useState<Waiting[] | null>(null);
  if (still && kept === null) setKept(waiting);
  if (!still && kept !== null) setKept(null);
  const listed = kept ?? waiting;
  const known = new Set(listed.map(({ id }) => id));
  const fresh = waiting.filter(({ id }) => !known.has(id)).length;
  return { listed, fresh, refresh: () => setKept(waiting) };
}

const decidedLabels = { approved: 'Approved by you', rejected: 'Rejected by you' };

function RequestState({
  item,
  made,
  waits,
}: {
  item: Waiting;
  made: MadeDecision | undefined;
  waits: boolean;
}) {
  if (made) return <span className={classes.left}>{decidedLabels[made.result]}</span>;
  if (!waits) return <span className={classes.left}>No longer waiting</span>;
  if (!item.expiresAt) return null;
  return (
    <span className={classes.left}>
      <Countdown until={item.expiresAt} /> left
    </span>
  );
}
