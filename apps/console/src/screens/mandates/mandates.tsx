import { printable } from '@countersign/proof-kit/printable';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCertificate } from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useAuditEvents, useDecisionChanges } from '../../session/live-center.tsx';
import { useCommand } from '../../ui/commands.ts';
import { TextLink } from '../../ui/link.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { StatePill } from '../../ui/state-pill.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { Day } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { Consumed } from './consumed.tsx';
import { type Mandate, Mandates, obstacleTo, stateOfMandate } from './mandate.ts';
import { RequestForm } from './request-form.tsx';

const route = getRouteApi('/inside/c/$center/mandates');

/** Approvals for a class of calls, so that people are not asked the same thing repeatedly. */
export default function MandatesScreen() {
  const { center } = route.useParams();
  const navigate = useNavigate();
  const read = useList(Mandates, route.useSearch(), () => ({}));
  useDecisionChanges(read.reload);
  // Policies and keys decide whether a mandate can be used.
  useAuditEvents('any', read.reload);
  const [requesting, { open, close }] = useDisclosure();
  useCommand('request-mandate', open);
  const columns: Column<Mandate>[] = [
    {
      name: 'Agent and action',
      text: (mandate) => `${agentOf(mandate)}: ${mandate.actionPattern ?? ''}`,
      cell: (mandate) => (
        <span>
          <TextLink to="/c/$center/mandates/$id" params={{ center, id: mandate.id }}>
            {agentOf(mandate)}
          </TextLink>
          <span className="subline mono">{printable(mandate.actionPattern ?? '')}</span>
        </span>
      ),
    },
    {
      name: 'Status',
      text: (mandate) => [stateOfMandate(mandate)[0], obstacleTo(mandate)].filter(Boolean).join('. '),
      cell: (mandate) => {
        const obstacle = obstacleTo(mandate);
        return (
          <span>
            <StatePill of={stateOfMandate(mandate)} />
            {obstacle && <span className="subline">{obstacle}</span>}
          </span>
        );
      },
    },
    { name: 'Used', text: ({ used }) => String(used), cell: (mandate) => <Consumed of={mandate} /> },
    {
      name: 'Ends',
      right: true,
      cell: ({ validUntil }) => (validUntil ? <Day at={validUntil} /> : ''),
    },
  ];
  return (
    <Page
      title="Mandates"
      intro="A mandate lets one agent do one kind of action without asking each time: within limits, until a date, and proven like any other decision."
      actions={<NewButton onClick={open}>Request a mandate</NewButton>}
    >
      <PagedTable
        of={read}
        empty={
          <Empty
            icon={<IconCertificate />}
            title="No mandate yet"
            action={<Button onClick={open}>Request the first</Button>}
          >
            The requester cannot approve it. Another person has to.
          </Empty>
        }
        label="Mandates"
        linked
        columns={columns}
      />
      <RequestForm
        opened={requesting}
        onClose={close}
        onDone={(id) => void navigate({ to: '/c/$center/mandates/$id', params: { center, id } })}
      />
    </Page>
  );
}

const agentOf = ({ agent }: Pick<Mandate, 'agent'>) => (agent ? printable(agent.id) : 'Erased');
