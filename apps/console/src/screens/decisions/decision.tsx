import { outcomePoint } from '@countersign/proof-kit/card-sections';
import { askedBy, decisionCard } from '@countersign/proof-kit/decision-card';
import { Button } from '@mantine/core';
import { IconDownload, IconExternalLink, IconPrinter } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useDecisionChanges } from '../../session/live-center.tsx';
import { usePublicProof } from '../../session/session-context.ts';
import { Copyable } from '../../ui/copy.tsx';
import { CardPanel } from '../../ui/decision-card/card-panel.tsx';
import { Words } from '../../ui/decision-card/words.tsx';
import { Facts } from '../../ui/facts.tsx';
import { BackLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { PanelsSkeleton } from '../../ui/skeletons.tsx';
import { DecisionState } from '../../ui/state-pill.tsx';
import { Loaded } from '../../ui/states.tsx';
import { ExactTime } from '../../ui/time.tsx';
import { cardFactsOf } from './card-facts.ts';
import { ChainPosition } from './chain-position.tsx';
import classes from './decision.module.css';
import { Erase } from './erase.tsx';
import { type Decision, ExportOf, OneDecision } from './one-decision.ts';
import { ProofCheck } from './proof-check.tsx';
import { DecisionTimeline } from './timeline.tsx';
import { WithdrawRequest } from './withdraw.tsx';

const route = getRouteApi('/inside/c/$center/decisions/$id');

export default function DecisionScreen() {
  const { id } = route.useParams();
  const read = useRead(OneDecision, { id });
  useDecisionChanges(read.reload);
  return (
    <Loaded of={read} page="Decision" skeleton={<PanelsSkeleton lines={[6, 5, 5]} />}>
      {({ decisionEvent }) => <Shown decision={decisionEvent} onChanged={read.reload} />}
    </Loaded>
  );
}

function Shown({ decision, onChanged }: { decision: Decision; onChanged: () => void }) {
  const { center } = route.useParams();
  const facts = useMemo(() => cardFactsOf(decision), [decision]);
  const { title, sections } = useMemo(() => decisionCard(facts), [facts]);
  const { evidence, erased } = decision;
  return (
    <Page
      title={title}
      badge={<DecisionState status={decision.status} />}
      back={<BackLink to="/c/$center/decisions" params={{ center }} label="Decisions" />}
      intro={
        <>
          <Words of={askedBy(facts)} /> · <ExactTime at={decision.createdAt} />
          {facts.outcome && (
            <>
              {' '}
              · <Words of={outcomePoint(facts, { ...facts.outcome, by: undefined }).words} />
            </>
          )}
          .
        </>
      }
      actions={
        <>
          {decision.status === 'sealed' && <SealedActions decision={decision} />}
          <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={() => window.print()}>
            Print
          </Button>
          <WithdrawRequest decision={decision} onDone={onChanged} />
          <Erase decision={decision} onDone={onChanged} />
        </>
      }
    >
      <div className={classes.columns}>
        <div className={classes.column}>
          {sections.map((section) => (
            <CardPanel key={section.id} section={section} />
          ))}
        </div>
        <div className={classes.column}>
          {/* A proof without the erased values is another document: it is verified again. */}
          <ProofCheck key={erased.length} decision={decision} />
          <Panel title="From request to proof">
            <DecisionTimeline decision={decision} facts={facts} />
          </Panel>
          <ChainPosition decision={decision} />
          <div className={classes.screen}>
            <Panel title="For the API and support">
              <details>
                <summary>Show the ids</summary>
                <Facts
                  of={{
                    Event: <Copyable value={decision.id} label="Copy event ID" />,
                    'Your own': <Copyable value={decision.decisionId} label="Copy your ID" />,
                    Record: <Copyable value={decision.dpuId} label="Copy record ID" />,
                    Evidence: <Copyable value={evidence.id} label="Copy evidence ID" />,
                  }}
                />
              </details>
            </Panel>
          </div>
        </div>
      </div>
    </Page>
  );
}

/** The whole proof, with everything needed to verify it offline. */
function SealedActions({ decision }: { decision: Decision }) {
  const isPublic = usePublicProof() !== null;
  const proof = useAction(ExportOf, { as: 'query', failureTitle: 'The export failed' });
  const download = async () => {
    const done = await proof.run({ id: decision.evidence.id });
    if (!done) return;
    const content = JSON.stringify(done.evidenceExport, null, 2);
    saveFile(`decision-proof-${decision.id}.json`, content, 'application/ld+json');
  };
  return (
    <>
      {isPublic && (
        <Button
          variant="default"
          component="a"
          href={`/verify/${decision.id}`}
          target="_blank"
          rel="noreferrer"
          leftSection={<IconExternalLink size={16} />}
        >
          Public page
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        loading={proof.busy}
        onClick={() => void download()}
      >
        Export proof
      </Button>
    </>
  );
}
