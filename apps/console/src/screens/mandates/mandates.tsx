import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCertificate } from '@tabler/icons-react';
import { useRead } from '../../graphql/use-read.ts';
import { useDecisionChanges } from '../../session/live-center.tsx';
import { useCommand } from '../../ui/commands.ts';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Day } from '../../ui/time.tsx';
import { useRowDialog } from '../../ui/use-row-dialog.ts';
import { Consumed } from './consumed.tsx';
import { type Mandate, Mandates, stateLabel } from './mandate.ts';
import { MandateDetail } from './mandate-detail.tsx';
import { RequestForm } from './request-form.tsx';

/** Approvals for a class of calls, so that people are not asked the same thing repeatedly. */
export default function MandatesScreen() {
  const read = useRead(Mandates, { first: 100 });
  useDecisionChanges(read.reload);
  const detail = useRowDialog<string>();
  const [requesting, { open, close }] = useDisclosure();
  useCommand('request-mandate', open);
  return (
    <Page
      title="Mandates"
      intro="A mandate lets one agent do one kind of action without asking each time: within limits, until a date, and proven like any other decision."
      actions={<NewButton onClick={open}>Request a mandate</NewButton>}
    >
      <Panel flush>
        <Loaded of={read} skeleton={<TableSkeleton columns={5} count={3} />}>
          {({ mandates: { edges } }) => {
            const mandates = edges.map(({ node }) => node);
            const shown = mandates.find(({ id }) => id === detail.row) ?? null;
            return (
              <>
                {mandates.length === 0 ? (
                  <Empty
                    icon={<IconCertificate />}
                    title="No mandate yet"
                    action={<Button onClick={open}>Request the first</Button>}
                  >
                    The requester cannot approve it. Another person has to.
                  </Empty>
                ) : (
                  <MandateTable mandates={mandates} onOpen={detail.show} />
                )}
                <MandateDetail
                  of={shown}
                  opened={detail.opened && shown !== null}
                  onClose={detail.close}
                  onDone={read.reload}
                />
              </>
            );
          }}
        </Loaded>
      </Panel>
      <RequestForm opened={requesting} onClose={close} onDone={read.reload} />
    </Page>
  );
}

function MandateTable({ mandates, onOpen }: { mandates: Mandate[]; onOpen: (id: string) => void }) {
  return (
    <Table
      label="Mandates"
      linked
      exportable
      rows={mandates}
      columns={[
        {
          name: 'Agent and action',
          text: ({ agent, actionPattern }) => `${agent?.id ?? 'Erased'}: ${actionPattern}`,
          cell: ({ id, agent, actionPattern }) => (
            <button type="button" className="row-button" onClick={() => onOpen(id)}>
              <strong>{agent?.id ?? 'Erased'}</strong>
              <span className="mono">{actionPattern}</span>
            </button>
          ),
        },
        {
          name: 'Status',
          text: ({ status }) => stateLabel[status][1],
          cell: ({ status }) => <Pill tone={stateLabel[status][0]}>{stateLabel[status][1]}</Pill>,
        },
        { name: 'Used', cell: (mandate) => <Consumed of={mandate} /> },
        {
          name: 'Ends',
          right: true,
          cell: ({ validUntil }) => (validUntil ? <Day at={validUntil} /> : ''),
        },
      ]}
    />
  );
}
