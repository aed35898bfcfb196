import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useDecisionsHappen, useHappens } from '../../app/live-center.tsx';
import { useCenter } from '../../app/session-context.ts';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { Loaded } from '../../ui/states.tsx';
import classes from './overview.module.css';

const ForMeNow = graphql(`
  query ForMeNow {
    waiting: decisionEvents(first: 1, filter: { statuses: [recorded, approved] }) { totalCount }
    sealed: decisionEvents(first: 1, filter: { status: sealed }) { totalCount }
    pending: members(first: 100, filter: { status: PENDING }) { edges { node { id } } }
  }
`);

/** What waits for somebody to do something. */
export function ForMe() {
  const { centerDomain } = useCenter();
  const read = useRead(ForMeNow, {});
  useDecisionsHappen(read.reload);
  useHappens('any', read.reload);
  const at = `/c/${centerDomain}`;
  return (
    <Loaded of={read} skeleton={<Skeleton height={96} radius="md" />}>
      {({ waiting, sealed, pending }) => (
        <div className={classes.tiles}>
          <Tile
            to={`${at}/approvals`}
            label="Waiting for approval"
            n={waiting.totalCount}
            hint={waiting.totalCount ? 'Decide them now' : 'All decided'}
            urgent
          />
          <Tile
            to={`${at}/people?status=PENDING`}
            label="People to let in"
            n={pending.edges.length}
            hint={pending.edges.length ? 'They have accepted and wait' : 'Nobody waits'}
            urgent
          />
          <Tile
            to={`${at}/decisions?status=sealed`}
            label="Sealed decisions"
            n={sealed.totalCount}
            hint="Each can be proven"
          />
        </div>
      )}
    </Loaded>
  );
}

function Tile({
  to,
  label,
  n,
  hint,
  urgent,
}: {
  to: string;
  label: string;
  n: number;
  hint: string;
  urgent?: boolean;
}) {
  return (
    <Link to={to} className={classes.tile!} data-tone={urgent && n > 0 ? 'warn' : undefined}>
      <span className={classes.label}>{label}</span>
      <span className={classes.number}>{n.toLocaleString()}</span>
      <span className={classes.hint}>{hint}</span>
    </Link>
  );
}
