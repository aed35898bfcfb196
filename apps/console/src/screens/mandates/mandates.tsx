import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCertificate } from '@tabler/icons-react';
import { useRead } from '../../graphql/use-read.ts';
import { useDecisionChanges } from '../../session/live-center.tsx';
import { useCommand } from '../../ui/commands.ts';
import { LoadedTable } from '../../ui/loaded-table.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { stateColumn } from '../../ui/state-pill.tsx';
import { Empty } from '../../ui/states.tsx';
import { Day } from '../../ui/time.tsx';
import { useRowDialog } from '../../ui/use-row-dialog.ts';
import { Consumed } from './consumed.tsx';
import { type Mandate, Mandates, mandateStates } from './mandate.ts';
import { MandateDetail } from './mandate-detail.tsx';
import { RequestForm } from './request-form.tsx';

/** Approvals for a class of calls, so that people are not asked the same thing repeatedly. */
export default function MandatesScreen() {
  const read = useRead(Mandates, { first: 100 });
  useDecisionChanges(read.reload);
  const detail = useRowDialog<string>();
  const [requesting, { open, close }] = useDisclosure();
  useCommand('request-mandate', open);
  const shown = read.data?.mandates.edges.find(({ node }) => node.id === detail.row)?.node ?? null;
  return (
    <Page
      title="Mandates"
      intro="A mandate lets one agent do one kind of action without asking each time: within limits, until a date, and proven like any other decision."
      actions={<NewButton onClick={open}>Request a mandate</NewButton>}
    >
      <Panel flush>
        <LoadedTable
          of={read}
          rows={({ mandates: { edges } }) => edges.map(({ node }) => node)}
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
          exportable
          columns={[
            {
              name: 'Agent and action',
              text: ({ agent, actionPattern }) => `${agent?.id ?? 'Erased'}: ${actionPattern}`,
              cell: ({ id, agent, actionPattern }) => (
                <button type="button" className="row-button" onClick={() => detail.show(id)}>
                  <strong>{agent?.id ?? 'Erased'}</strong>
                  <span className="mono">{actionPattern}</span>
                </button>
              ),
            },
            stateColumn<Mandate>('Status', ({ status }) => mandateStates[status]),
            { name: 'Used', cell: (mandate) => <Consumed of={mandate} /> },
            {
              name: 'Ends',
              right: true,
              cell: ({ validUntil }) => (validUntil ? <Day at={validUntil} /> : ''),
            },
          ]}
        />
      </Panel>
      <MandateDetail
        of={shown}
        opened={detail.opened && shown !== null}
        onClose={detail.close}
        onDone={read.reload}
      />
      <RequestForm opened={requesting} onClose={close} onDone={read.reload} />
    </Page>
  );
}
