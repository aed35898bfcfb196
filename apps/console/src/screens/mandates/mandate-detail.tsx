import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useCenter } from '../../session/session-context.ts';
import { headlineOf } from '../../text/labels.ts';
import { Facts } from '../../ui/facts.tsx';
import type { DialogProps } from '../../ui/form-dialog.tsx';
import { TextLink } from '../../ui/link.tsx';
import { LoadedTable } from '../../ui/loaded-table.tsx';
import { StatePill } from '../../ui/state-pill.tsx';
import { agoColumn, ExactTime } from '../../ui/time.tsx';
import { Consumed } from './consumed.tsx';
import { KeyNames, type Mandate, MandateUses, mandateStates, RevokeMandate } from './mandate.ts';

interface MandateDetailProps extends DialogProps {
  of: Mandate | null;
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
        <StatePill of={mandateStates[mandate.status]} />
      </Group>
      <Facts
        of={{
          Actions: <span className="mono">{mandate.actionPattern}</span>,
          'API keys': mandate.keys && <KeyList ids={mandate.keys} />,
          Condition: mandate.condition && <span className="mono">{mandate.condition}</span>,
          Reason: mandate.reason,
          Begins: mandate.validFrom && <ExactTime at={mandate.validFrom} />,
          Ends: mandate.validUntil && <ExactTime at={mandate.validUntil} />,
          Used: <Consumed of={mandate} />,
          'Granted by':
            mandate.status === 'pending' ? (
              <TextLink to="/c/$center/approvals" params={{ center }} search={{ event: mandate.eventId }}>
                Approve or reject it
              </TextLink>
            ) : (
              <TextLink to="/c/$center/decisions/$id" params={{ center, id: mandate.eventId }}>
                Open the decision
              </TextLink>
            ),
        }}
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

/** The keys that may use it, by name. */
function KeyList({ ids }: { ids: readonly string[] }) {
  const { data } = useRead(KeyNames, {});
  if (ids.length === 0) return <>None. Request the mandate again, with the keys that may use it.</>;
  const names = new Map(data?.apiKeys.edges.map(({ node }) => [node.id, node]));
  return (
    <>
      {ids.map((id) => {
        const key = names.get(id);
        return (
          <div key={id}>
            {key ? `${key.name} (${key.publicId})` : id}
            {key?.revokedAt && ', revoked'}
          </div>
        );
      })}
    </>
  );
}

function Uses({ id, center }: { id: string; center: string }) {
  const read = useRead(MandateUses, { id });
  return (
    <section aria-label="Uses">
      <Text fw={600}>Newest uses</Text>
      <LoadedTable
        of={read}
        rows={({ mandate: { uses } }) => uses}
        lines={3}
        empty={null}
        label="Uses"
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
    </section>
  );
}
