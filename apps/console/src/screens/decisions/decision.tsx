import { Button, Group } from '@mantine/core';
import { IconDownload, IconExternalLink } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { Json } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useDecisionChanges } from '../../session/live-center.tsx';
import { hasFeature, useSession } from '../../session/session-context.ts';
import { actorKinds, decisionTypes, headlineOf, nameOf } from '../../text/labels.ts';
import { Copyable, shortHash } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { JsonText } from '../../ui/json.tsx';
import { BackLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Meter } from '../../ui/risk.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { PanelsSkeleton } from '../../ui/skeletons.tsx';
import { DecisionState } from '../../ui/state-pill.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Day, ExactTime } from '../../ui/time.tsx';
import classes from './decision.module.css';
import { Erase } from './erase.tsx';
import { SealedGuards, SeatList } from './guards.tsx';
import { type Decision, ExportOf, OneDecision } from './one-decision.ts';
import { ProofCheck } from './proof-check.tsx';
import { SixW } from './six-w.tsx';
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
  const { action, actor, aiContext, evidence } = decision;
  const sealed = decision.status === 'sealed';
  return (
    <Page
      title={headlineOf(action)}
      badge={<DecisionState status={decision.status} />}
      back={<BackLink to="/c/$center/decisions" params={{ center }} label="Decisions" />}
      intro={
        <>
          {nameOf(actor)} ({actorKinds[actor.type]}), <ExactTime at={decision.createdAt} />.
        </>
      }
      actions={
        <>
          {sealed && <SealedActions decision={decision} />}
          <WithdrawRequest decision={decision} onDone={onChanged} />
          <Erase decision={decision} onDone={onChanged} />
        </>
      }
    >
      <div className={classes.columns}>
        <div className={classes.column}>
          <Panel title="From request to proof">
            <DecisionTimeline decision={decision} />
          </Panel>
          {decision.seats.length > 0 && (
            <Panel title="Who had to approve" hint="Each seat takes different people.">
              <SeatList seats={decision.seats} />
            </Panel>
          )}
          <Panel title="Decision">
            <Facts
              of={{
                Kind: decisionTypes[decision.type],
                Action: <span className="mono">{action.type}</span>,
                Description: action.description,
                Actor: `${nameOf(actor)} (${actorKinds[actor.type]})`,
                Model: [aiContext?.provider, aiContext?.model].filter(Boolean).join(' · '),
                Reasoning: aiContext?.reasoning,
                Tags: decision.tags.join(', '),
              }}
            />
            {(decision.riskScore !== null || aiContext?.confidence != null) && (
              <div className={classes.meters}>
                <Meter label="Risk" value={decision.riskScore} kind="risk" />
                <Meter
                  label="Confidence of the model"
                  value={aiContext?.confidence ?? null}
                  kind="confidence"
                />
              </div>
            )}
            <div className={classes.pair}>
              <Value decision={decision} path="action.input" label="Given" value={action.input} />
              <Value decision={decision} path="action.output" label="Outcome" value={action.output} />
            </div>
          </Panel>
          {/* Erased values must not stay on the screen: refetch. */}
          {sealed && <SixW key={decision.erased.length} dpuId={decision.dpuId} />}
        </div>
        <div className={classes.column}>
          <ProofCheck key={decision.erased.length} decision={decision} />
          <Panel title="Chain position">
            {sealed ? (
              <Facts
                of={{
                  Record: `Number ${(evidence.chainIndex ?? 0).toLocaleString()} of the proof chain`,
                  Fingerprint: evidence.chainHash && (
                    <Copyable
                      value={evidence.chainHash}
                      shown={shortHash(evidence.chainHash)}
                      label="Copy fingerprint"
                    />
                  ),
                }}
              />
            ) : (
              <p className={classes.none}>
                {decision.status === 'rejected'
                  ? 'Rejected decisions are not sealed.'
                  : 'It gets a chain position when it is sealed.'}
              </p>
            )}
          </Panel>
          {sealed && <SealedGuards evidenceId={evidence.id} />}
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
    </Page>
  );
}

/** The whole proof, with everything needed to verify it offline. */
function SealedActions({ decision }: { decision: Decision }) {
  const session = useSession();
  const proof = useAction(ExportOf, { as: 'query', failureTitle: 'The export failed' });
  const download = async () => {
    const done = await proof.run({ id: decision.evidence.id });
    if (!done) return;
    const content = JSON.stringify(done.evidenceExport, null, 2);
    saveFile(`decision-proof-${decision.id}.json`, content, 'application/ld+json');
  };
  return (
    <Group gap={8}>
      {hasFeature(session, 'proofPage') && (
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
    </Group>
  );
}

interface ValueProps {
  decision: Decision;
  /** The path under which the value is sealed and erased. */
  path: string;
  label: string;
  value: Json;
}

/** A value of the decision, or when and why it was erased. */
function Value({ decision, path, label, value }: ValueProps) {
  const erased = decision.erased.find((each) => each.path === path);
  return (
    <div>
      <h3 className={classes.sub}>{label}</h3>
      {erased ? (
        <p className={classes.erased}>
          Erased on <Day at={erased.at} />
          {erased.reason && <>: “{erased.reason}”</>}. The fingerprint in the proof stays.
        </p>
      ) : (
        <JsonText value={value} label={label} />
      )}
    </div>
  );
}
