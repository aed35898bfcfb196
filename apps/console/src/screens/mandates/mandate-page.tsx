import { printable } from '@countersign/proof-kit/printable';
import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { getRouteApi } from '@tanstack/react-router';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents, useDecisionChanges } from '../../session/live-center.tsx';
import { headlineOf } from '../../text/labels.ts';
import { Facts } from '../../ui/facts.tsx';
import { BackLink, TextLink } from '../../ui/link.tsx';
import { TablePanel } from '../../ui/loaded-table.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StatePill } from '../../ui/state-pill.tsx';
import { Loaded } from '../../ui/states.tsx';
import { agoColumn, ExactTime } from '../../ui/time.tsx';
import { Consumed } from './consumed.tsx';
import { Lifts, Obstacle } from './lifts.tsx';
import { OneMandate, obstacleTo, RevokeMandate, stateOfMandate, type WholeMandate } from './mandate.ts';

const route = getRouteApi('/inside/c/$center/mandates/$id');

export default function MandateScreen() {
  const { id } = route.useParams();
  const read = useRead(OneMandate, { id });
  useDecisionChanges(read.reload);
  useAuditEvents('any', read.reload);
  return (
    <Loaded of={read} page="Mandate">
      {({ mandate }) => <Whole mandate={mandate} onChanged={read.reload} />}
    </Loaded>
  );
}

function Whole({ mandate, onChanged }: { mandate: WholeMandate; onChanged: () => void }) {
  const { center } = route.useParams();
  const { status, agent, actionPattern, lifts, uses, used } = mandate;
  const revoke = useAction(RevokeMandate, { done: 'The mandate was revoked.' });
  const askRevoke = () =>
    modals.openConfirmModal({
      title: 'Revoke this mandate?',
      children:
        'It approves nothing more from now on: the agent has to ask again. What it approved stays sealed.',
      labels: { confirm: 'Revoke', cancel: 'Keep' },
      confirmProps: { color: 'red' },
      onConfirm: () => void revoke.run({ input: { id: mandate.id } }).then(onChanged),
    });
  const isLiving = status === 'active' || status === 'pending';
  return (
    <Page
      title={agent ? `Mandate of ${printable(agent.id)}` : 'Mandate with erased terms'}
      intro={actionPattern && <span className="mono">{printable(actionPattern)}</span>}
      back={<BackLink to="/c/$center/mandates" params={{ center }} label="Mandates" />}
      badge={<StatePill of={stateOfMandate(mandate)} />}
      actions={
        isLiving && (
          <Button variant="default" color="red" loading={revoke.busy} onClick={askRevoke}>
            Revoke immediately
          </Button>
        )
      }
    >
      <Obstacle message={obstacleTo(mandate)} />
      {lifts.length > 0 && (
        <Panel title="What it lifts" hint="By the policies that are in force now.">
          <Lifts of={lifts} />
        </Panel>
      )}
      <Panel title="Terms">
        <Terms of={mandate} center={center} />
      </Panel>
      {used > 0 && (
        <TablePanel
          title="Uses"
          hint={used > uses.length ? `The newest ${uses.length} of ${used.toLocaleString()}.` : undefined}
          rows={uses}
          linked
          columns={[
            {
              name: 'Decision',
              cell: ({ id, action }) => (
                <TextLink to="/c/$center/decisions/$id" params={{ center, id }}>
                  {headlineOf(action)}
                </TextLink>
              ),
            },
            agoColumn<{ createdAt: string }>('When', ({ createdAt }) => createdAt),
          ]}
        />
      )}
    </Page>
  );
}

function Terms({ of: mandate, center }: { of: WholeMandate; center: string }) {
  const { keys, condition, reason, validFrom, validUntil, revokedAt, status, eventId, createdAt } = mandate;
  return (
    <Facts
      of={{
        Agent: mandate.agent && printable(mandate.agent.id),
        Actions: mandate.actionPattern && <span className="mono">{printable(mandate.actionPattern)}</span>,
        'API keys': keys && <KeyList of={mandate} />,
        Condition: condition && <span className="mono">{printable(condition)}</span>,
        Reason: reason && printable(reason),
        Requested: <ExactTime at={createdAt} />,
        Begins: validFrom && <ExactTime at={validFrom} />,
        Ends: validUntil && <ExactTime at={validUntil} />,
        Revoked: revokedAt && <ExactTime at={revokedAt} />,
        Used: <Consumed of={mandate} />,
        Decision:
          status === 'pending' ? (
            <TextLink to="/c/$center/approvals" params={{ center }} search={{ event: eventId }}>
              Approve or reject it
            </TextLink>
          ) : (
            <TextLink to="/c/$center/decisions/$id" params={{ center, id: eventId }}>
              Open the decision
            </TextLink>
          ),
      }}
    />
  );
}

/** The keys that may use it, by name. */
function KeyList({ of: { keys, apiKeys } }: { of: WholeMandate }) {
  if (keys?.length === 0) return <>None. Request the mandate again, with the keys that may use it.</>;
  return (
    <>
      {keys?.map((id) => {
        const key = apiKeys.find((each) => each.id === id);
        return (
          <div key={id}>
            {key ? `${printable(key.name)} (${key.publicId})` : id}
            {key && !key.usable && ', expired or revoked'}
          </div>
        );
      })}
    </>
  );
}
