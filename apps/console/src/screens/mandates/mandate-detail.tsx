import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useCenter } from '../../session/session-context.ts';
import { headlineOf } from '../../text/labels.ts';
import { Facts } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Pill } from '../../ui/pill.tsx';
import { Lines, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Ago, ExactTime } from '../../ui/time.tsx';
import { Consumed } from './consumed.tsx';
import { type Mandate, MandateUses, RevokeMandate, stateLabel } from './mandate.ts';

interface MandateDetailProps {
  of: Mandate | null;
  opened: boolean;
  onClose: () => void;
  onDone: () => void;
}

export function MandateDetail({ of: mandate, opened, onClose, onDone }: MandateDetailProps) {
  return (
    <Modal opened={opened} onClose={onClose} size="lg" title={mandate?.agent?.id ?? 'Mandate'}>
      {mandate && <Shown mandate={mandate} onDone={onDone} />}
    </Modal>
  );
}

function Shown({ mandate, onDone }: { mandate: Mandate; onDone: () => void }) {
  const { centerDomain: center } = useCenter();
  const revoke = useAction(RevokeMandate, { done: 'The mandate was revoked.' });
  const [tone, words] = stateLabel[mandate.status];
  const mayEnd = mandate.status === 'active' || mandate.status === 'pending';
  const askRevoke = () =>
    modals.openConfirmModal({
      title: 'Revoke this mandate?',
      children:
        'It approves nothing more from now on: the agent has to ask again. What it approved stays sealed.',
      labels: { confirm: 'Revoke', cancel: 'Keep' },
      confirmProps: { color: 'red' },
      onConfirm: () => void revoke.run({ input: { id: mandate.id } }).then(onDone),
    });
  return (
    <Stack>
      <Group>
        <Pill tone={tone}>{words}</Pill>
      </Group>
      <Facts
        of={[
          [
            'Actions',
            <span key="a" className="mono">
              {mandate.actionPattern}
            </span>,
          ],
          [
            'Condition',
            mandate.condition && (
              <span key="c" className="mono">
                {mandate.condition}
              </span>
            ),
          ],
          ['Reason', mandate.reason],
          ['Begins', mandate.validFrom && <ExactTime key="f" at={mandate.validFrom} />],
          ['Ends', mandate.validUntil && <ExactTime key="u" at={mandate.validUntil} />],
          ['Used', <Consumed key="m" of={mandate} />],
          [
            'Granted by',
            mandate.status === 'pending' ? (
              <TextLink
                key="p"
                to="/c/$center/approvals"
                params={{ center }}
                search={{ event: mandate.eventId }}
              >
                Approve or reject it
              </TextLink>
            ) : (
              <TextLink key="d" to="/c/$center/decisions/$id" params={{ center, id: mandate.eventId }}>
                Open the decision
              </TextLink>
            ),
          ],
        ]}
      />
      {mandate.used > 0 && <Uses id={mandate.id} center={center} />}
      {mayEnd && (
        <div>
          <Button variant="default" color="red" loading={revoke.busy} onClick={askRevoke}>
            Revoke immediately
          </Button>
        </div>
      )}
    </Stack>
  );
}

function Uses({ id, center }: { id: string; center: string }) {
  const read = useRead(MandateUses, { id });
  return (
    <section aria-label="Uses">
      <Text fw={600}>Newest uses</Text>
      <Loaded of={read} skeleton={<Lines count={3} />} small>
        {({ mandate: { uses } }) => (
          <Table
            label="Uses"
            keyOf={(use) => use.id}
            rows={uses}
            columns={[
              {
                name: 'Decision',
                cell: (use) => (
                  <TextLink to="/c/$center/decisions/$id" params={{ center, id: use.id }}>
                    {headlineOf(use.action)}
                  </TextLink>
                ),
              },
              { name: 'When', right: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
            ]}
          />
        )}
      </Loaded>
    </section>
  );
}
