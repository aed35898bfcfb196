import { printable } from '@countersign/proof-kit/printable';
import { IconPlus, IconScale } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { useCenter } from '../../session/session-context.ts';
import { scopeLabels } from '../../text/policies.ts';
import { useCommand } from '../../ui/commands.ts';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PanelsSkeleton } from '../../ui/skeletons.tsx';
import { stateColumn } from '../../ui/state-pill.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Policies, type Policy, statementsOf, useGroups } from './policy.ts';
import { Simulator } from './simulator.tsx';

const scopes = ['CENTER', 'REGION', 'COUNTRY', 'GLOBAL'] as const;

export default function PoliciesScreen() {
  const { centerDomain: center } = useCenter();
  const navigate = useNavigate();
  const read = useRead(Policies, {});
  const { groupName } = useGroups();
  useAuditEvents('any', read.reload);
  useCommand('new-policy', () => void navigate({ to: '/c/$center/policies/new', params: { center } }));
  const columns: Column<Policy>[] = [
    {
      name: 'Policy',
      width: 30,
      text: ({ name, actionPattern }) => `${name} (${actionPattern})`,
      cell: ({ id, name, actionPattern }) => (
        <>
          <TextLink to="/c/$center/policies/$id" params={{ center, id }}>
            <strong>{printable(name)}</strong>
          </TextLink>
          <span className="subline mono">{actionPattern}</span>
        </>
      ),
    },
    {
      name: 'Requires',
      width: 46,
      cell: ({ guards }) => statementsOf(guards, groupName).join('. ') || 'Nothing: wider policies decide',
    },
    stateColumn<Policy>('In force', ({ active }) => (active ? ['In force', 'good'] : ['Off', 'quiet'])),
    { name: 'Version', right: true, cell: ({ version }) => version },
  ];
  return (
    <Page
      title="Policies"
      intro="Requirements for sealing a decision. For each guard the narrowest policy applies, unless a wider one enforces it."
      actions={
        <ButtonLink to="/c/$center/policies/new" params={{ center }} leftSection={<IconPlus size={16} />}>
          New policy
        </ButtonLink>
      }
    >
      <Loaded of={read} skeleton={<PanelsSkeleton lines={[3, 3, 8]} />}>
        {({ policies: { edges } }) => (
          <>
            {scopes.map((scope) => {
              const rows = edges.map(({ node }) => node).filter((policy) => policy.scope === scope);
              if (rows.length === 0 && scope !== 'CENTER') return null;
              return (
                <Panel key={scope} title={scopeLabels[scope]} flush>
                  {rows.length === 0 ? (
                    <Empty small icon={<IconScale />} title="No policies of this center">
                      The policies below apply. Create one to change the requirements.
                    </Empty>
                  ) : (
                    <Table label={scopeLabels[scope]!} linked exportable rows={rows} columns={columns} />
                  )}
                </Panel>
              );
            })}
            <Simulator />
          </>
        )}
      </Loaded>
    </Page>
  );
}
