import { askedBy, type CardSectionId, decisionCard } from '@countersign/proof-kit/decision-card';
import { useEffect, useMemo, useState } from 'react';
import { useRead } from '../../graphql/use-read.ts';
import { useCenter } from '../../session/session-context.ts';
import { CardPanel } from '../../ui/decision-card/card-panel.tsx';
import { Words } from '../../ui/decision-card/words.tsx';
import { Facts } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { DecisionState } from '../../ui/state-pill.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Ago, Countdown } from '../../ui/time.tsx';
import { cardFactsOf } from '../decisions/card-facts.ts';
import { RequestedLifts } from '../mandates/lifts.tsx';
import classes from './approval-detail.module.css';
import { Arguments } from './arguments.tsx';
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

/** What an approver needs before the decision, and what only explains it. The arguments come first. */
const BEFORE: readonly CardSectionId[] = ['risk', 'policies', 'seats'];
const AFTER: readonly CardSectionId[] = ['expected', 'outcome', 'absent'];

function Shown({ request }: { request: Request }) {
  const { centerDomain: center } = useCenter();
  const [seen, setSeen] = useState(false);
  const facts = useMemo(() => cardFactsOf(request), [request]);
  const { title, sections } = useMemo(() => decisionCard(facts), [facts]);
  const sectionOf = (id: CardSectionId) => sections.find((each) => each.id === id);
  const panels = (ids: readonly CardSectionId[]) =>
    ids.flatMap((id) => {
      const section = sectionOf(id);
      return section ? [<CardPanel key={id} section={section} />] : [];
    });
  const isOpen = request.status === 'recorded' || request.status === 'approved';
  const asked = sectionOf('request');
  const mandate = sectionOf('mandate');
  return (
    <article className={classes.request} aria-label={title}>
      <Panel>
        <header className={classes.head}>
          <div>
            <h2 className={classes.title} dir="auto">
              {title}
            </h2>
            <p className={classes.who}>
              <Words of={askedBy(facts)} /> · <Ago at={request.createdAt} />
            </p>
          </div>
          <div className={classes.state}>
            <DecisionState status={request.status} />
            {isOpen && request.expiresAt && (
              <span className={classes.expiry}>
                Expires in <Countdown until={request.expiresAt} />
              </span>
            )}
          </div>
        </header>
      </Panel>
      <Arguments
        request={request}
        mandate={mandate}
        section={{
          ...(sectionOf('arguments') ?? { id: 'arguments', points: [], rows: [], values: [] }),
          title: mandate?.title ?? 'Exact arguments',
        }}
        onSeen={() => {
          markOpened(request.id);
          setSeen(true);
        }}
      />
      {mandate && <RequestedLifts eventId={request.id} />}
      {panels(request.approvals.length > 0 ? [...BEFORE, 'approvals'] : BEFORE)}
      <Panel title="Your decision">
        <Decide request={request} seen={seen} />
      </Panel>
      {panels(AFTER)}
      {asked && (
        <CardPanel section={asked}>
          <Facts
            of={{
              'Your ID': request.decisionId,
              'Full record': (
                <TextLink to="/c/$center/decisions/$id" params={{ center, id: request.id }}>
                  Open the full record
                </TextLink>
              ),
            }}
          />
        </CardPanel>
      )}
    </article>
  );
}
