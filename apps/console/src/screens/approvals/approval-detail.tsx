import { useEffect, useState } from 'react';
import { useRead } from '../../graphql/use-read.ts';
import { useCenter } from '../../session/session-context.ts';
import { actorKinds, decisionTypes, headlineOf } from '../../text/labels.ts';
import { Facts } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Meter } from '../../ui/risk.tsx';
import { DecisionState } from '../../ui/state-pill.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Ago, Countdown, ExactTime } from '../../ui/time.tsx';
import { GuardList, SeatList } from '../decisions/guards.tsx';
import classes from './approval-detail.module.css';
import { Arguments } from './arguments.tsx';
import { Compare } from './compare.tsx';
import { Decide } from './decide.tsx';
import { useDecisionsMade } from './decisions-made.tsx';
import { markOpened } from './opened.ts';
import { OneRequest, type Request } from './requests.ts';

/** One request: its exact arguments, how risky it is and why, and then the decision. */
export function ApprovalDetail({ id, onDecided }: { id: string; onDecided: () => void }) {
  const read = useRead(OneRequest, { id });
  const phase = useDecisionsMade().get(id)?.phase;
  const { reload } = read;
  useEffect(() => {
    if (phase !== 'sent') return;
    reload();
    onDecided();
  }, [phase, reload, onDecided]);
  return <Loaded of={read}>{({ decisionEvent }) => <Shown request={decisionEvent} />}</Loaded>;
}

function Shown({ request }: { request: Request }) {
  const { centerDomain: center } = useCenter();
  const [seen, setSeen] = useState(false);
  const { actor, action, aiContext, approvals } = request;
  return (
    <article className={classes.request} aria-label={headlineOf(action)}>
      <Panel>
        <header className={classes.head}>
          <div>
            <h2 className={classes.title}>{headlineOf(action)}</h2>
            <p className={classes.who}>
              <strong>{actor.name ?? actor.id}</strong> ({actorKinds[actor.type]}) asked{' '}
              <Ago at={request.createdAt} />
            </p>
          </div>
          <div className={classes.state}>
            <DecisionState status={request.status} />
            {request.expiresAt && (
              <span className={classes.expiry}>
                Expires in <Countdown until={request.expiresAt} />
              </span>
            )}
          </div>
        </header>
      </Panel>
      <Arguments
        request={request}
        onSeen={() => {
          markOpened(request.id);
          setSeen(true);
        }}
      />
      <Panel title="Risk and reasoning">
        <div className={classes.meters}>
          <Meter label="Risk" value={request.riskScore} kind="risk" />
          <Meter label="Confidence of the model" value={aiContext?.confidence ?? null} kind="confidence" />
        </div>
        {aiContext?.reasoning && (
          <figure className={classes.reasoning}>
            <figcaption>Reasoning</figcaption>
            <blockquote>{aiContext.reasoning}</blockquote>
          </figure>
        )}
      </Panel>
      {request.seats.length > 0 && (
        <Panel title="Who has to approve" hint="Each seat takes different people.">
          <SeatList seats={request.seats} />
        </Panel>
      )}
      {request.outlook && (
        <Panel title="Why it needs approval" hint="What the policies in force still require.">
          <GuardList guards={request.outlook.guards.filter(({ verdict }) => verdict !== 'pass')} />
          {request.outlook.verdict === 'pass' && (
            <p className={classes.free}>No policy requires more. An administrator decides.</p>
          )}
        </Panel>
      )}
      <Panel title="Your decision">
        <Decide request={request} seen={seen} />
      </Panel>
      {action.output !== null && (
        <Panel
          title="Expected result"
          hint="What was given beside what the agent expects to come of it."
          flush
        >
          <Compare before={action.input} after={action.output} />
        </Panel>
      )}
      {approvals.length > 0 && (
        <Panel title="Approvals so far">
          <ul className={classes.approvals}>
            {approvals.map(({ id, approver, result, reason, createdAt }) => (
              <li key={id}>
                <strong>{approver.name ?? approver.id}</strong> {result} it <Ago at={createdAt} />
                {reason && <>: “{reason}”</>}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <Panel title="Details">
        <Facts
          of={{
            Kind: decisionTypes[request.type],
            Action: <span className="mono">{action.type}</span>,
            Model: [aiContext?.provider, aiContext?.model].filter(Boolean).join(' · '),
            Tags: request.tags.join(', '),
            Recorded: <ExactTime at={request.createdAt} />,
            'Your ID': request.decisionId,
            'Full record': (
              <TextLink to="/c/$center/decisions/$id" params={{ center, id: request.id }}>
                Open the full record
              </TextLink>
            ),
          }}
        />
      </Panel>
    </article>
  );
}
