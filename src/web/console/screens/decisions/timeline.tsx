import { IconCheck, IconLock, IconPencil, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Json } from '../../graphql/graphql.ts';
import { Countdown, Exactly } from '../../ui/time.tsx';
import { actorKinds } from '../../words/labels.ts';
import type { Decision } from './one-decision.ts';
import classes from './timeline.module.css';

interface Step {
  key: string;
  tone: 'done' | 'good' | 'bad' | 'open';
  icon: ReactNode;
  title: ReactNode;
  at: string | null;
  text?: ReactNode;
}

/** What happened to a decision, from its recording on. */
export function Timeline({ decision }: { decision: Decision }) {
  return (
    <ol className={classes.timeline}>
      {stepsOf(decision).map(({ key, tone, icon, title, at, text }) => (
        <li key={key} className={classes.step} data-tone={tone}>
          <span className={classes.icon} aria-hidden="true">
            {icon}
          </span>
          <div>
            <p className={classes.title}>{title}</p>
            {at && (
              <p className={classes.at}>
                <Exactly at={at} />
              </p>
            )}
            {text && <div className={classes.text}>{text}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}

const waysKnown: Record<string, string> = {
  passkey: ', signed with a passkey',
  session: ', signed in',
  api_key: ', as a system reported',
};

const kindOf = (by: Json) => String((by as { kind?: string } | null)?.kind ?? '');

function stepsOf(decision: Decision): Step[] {
  const { actor, approvals, status } = decision;
  const steps: Step[] = [
    {
      key: 'recorded',
      tone: 'done',
      icon: <IconPencil size={14} />,
      title: (
        <>
          Recorded by <strong>{actor.name ?? actor.id}</strong> ({actorKinds[actor.type]})
        </>
      ),
      at: decision.createdAt,
    },
    ...approvals.map(
      ({ id, approver, result, reason, by, createdAt }): Step => ({
        key: id,
        tone: result === 'approved' ? 'good' : 'bad',
        icon: result === 'approved' ? <IconCheck size={14} /> : <IconX size={14} />,
        title: (
          <>
            {result === 'approved' ? 'Approved' : 'Rejected'} by{' '}
            <strong>{approver.name ?? approver.id}</strong>
            {approver.type === 'system' ? ' (system)' : waysKnown[kindOf(by)]}
          </>
        ),
        at: createdAt,
        text: reason && <q>{reason}</q>,
      }),
    ),
  ];
  if (status === 'sealed') {
    steps.push({
      key: 'sealed',
      tone: 'good',
      icon: <IconLock size={14} />,
      title: <>Sealed as record {decision.evidence.chainIndex?.toLocaleString()} of the proof chain</>,
      at: decision.updatedAt,
    });
    if (decision.outcome) {
      const worked = decision.outcome.status === 'executed';
      steps.push({
        key: 'outcome',
        tone: worked ? 'good' : 'bad',
        icon: worked ? <IconCheck size={14} /> : <IconX size={14} />,
        title: worked ? 'Carried out, as was approved' : 'Carrying it out failed',
        at: decision.outcome.recordedAt,
      });
    }
  } else if (status !== 'rejected') {
    steps.push({
      key: 'open',
      tone: 'open',
      icon: <IconLock size={14} />,
      title: status === 'approved' ? 'Waits for a second approval' : 'Waits for an approval',
      at: null,
      text: decision.expiresAt && (
        <>
          Rejected by itself in <Countdown until={decision.expiresAt} />
        </>
      ),
    });
  }
  return steps;
}
