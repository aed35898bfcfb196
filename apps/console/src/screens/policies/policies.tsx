import { Button } from '@mantine/core';
import { IconScale } from '@tabler/icons-react';
import { useState } from 'react';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { useSession } from '../../session/session-context.ts';
import { sentenceCase } from '../../text/labels.ts';
import { demands, scopeLabels } from '../../text/policies.ts';
import { useCommand } from '../../ui/commands.ts';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PanelsSkeleton } from '../../ui/skeletons.tsx';
import { stateColumn } from '../../ui/state-pill.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useRowDialog } from '../../ui/use-row-dialog.ts';
import { PolicyHistoryDrawer } from './history.tsx';
import { Policies, type Policy } from './policy.ts';
import { PolicyForm } from './policy-form.tsx';
import { Simulator } from './simulator.tsx';

const scopes = ['CENTER', 'REGION', 'COUNTRY', 'GLOBAL'] as const;

export default function PoliciesScreen() {
  const { me } = useSession();
  const read = useRead(Policies, {});
  useAuditEvents('any', read.reload);
  const [history, setHistory] = useState<Policy | null>(null);
  const { row: editing, show: edit, ...dialog } = useRowDialog<Policy | null>();
  useCommand('new-policy', () => edit(null));
  const mayChange = (policy: Policy) => policy.scope === 'CENTER' || me.platformAdmin;
  return (
    <Page
      title="Policies"
      intro="Requirements for sealing a decision. For each guard the narrowest policy applies, unless a wider one enforces it."
      actions={<NewButton onClick={() => edit(null)}>New policy</NewButton>}
    >
      <Loaded of={read} skeleton={<PanelsSkeleton lines={[3, 3, 8]} />}>
        {({ policies: { edges } }) => (
          <>
            {scopes.map((scope) => {
              const of = edges.map(({ node }) => node).filter((policy) => policy.scope === scope);
              if (of.length === 0 && scope !== 'CENTER') return null;
              return (
                <Panel key={scope} title={scopeLabels[scope]} flush>
                  {of.length === 0 ? (
                    <Empty small icon={<IconScale />} title="No policies of this center">
                      The policies below apply. Create one to change the requirements.
                    </Empty>
                  ) : (
                    <Table
                      label={scopeLabels[scope]!}
                      linked
                      exportable
                      rows={of}
                      columns={[
                        {
                          name: 'Policy',
                          text: ({ name, actionPattern }) => `${name} (${actionPattern})`,
                          cell: (policy) => (
                            <button
                              type="button"
                              className="row-button"
                              onClick={() => (mayChange(policy) ? edit(policy) : setHistory(policy))}
                            >
                              <strong>{policy.name}</strong>
                              <span className="mono">{policy.actionPattern}</span>
                            </button>
                          ),
                        },
                        {
                          name: 'Asks for',
                          cell: ({ guards }) => sentenceCase(demands(guards).join('; ')) || 'No guards',
                        },
                        stateColumn<Policy>('In force', ({ active }) =>
                          active ? ['In force', 'good'] : ['Off', 'quiet'],
                        ),
                        {
                          name: 'Version',
                          right: true,
                          cell: (policy) => (
                            <Button size="compact-sm" variant="subtle" onClick={() => setHistory(policy)}>
                              {policy.version}
                              <span className="visually-hidden">: show history of {policy.name}</span>
                            </Button>
                          ),
                        },
                      ]}
                    />
                  )}
                </Panel>
              );
            })}
            <Simulator />
          </>
        )}
      </Loaded>
      <PolicyHistoryDrawer of={history} onClose={() => setHistory(null)} />
      <PolicyForm
        of={editing}
        mayGoWider={me.platformAdmin}
        opened={dialog.opened}
        onClose={dialog.close}
        onDone={read.reload}
      />
    </Page>
  );
}
