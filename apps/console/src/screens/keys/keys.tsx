import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { IconKey } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { count, type State } from '../../text/labels.ts';
import { ago } from '../../text/time.ts';
import { useCommand } from '../../ui/commands.ts';
import { RowDialog } from '../../ui/form-dialog.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { stateColumn } from '../../ui/state-pill.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, menuColumn } from '../../ui/table.tsx';
import { agoColumn, Day } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { useRowDialog } from '../../ui/use-row-dialog.ts';
import { McpConfiguration } from './mcp-configuration.tsx';
import { NewKey } from './new-key.tsx';
import { RotateKey } from './rotate-key.tsx';

const Keys = graphql(`
  query Keys($first: Int, $last: Int, $after: String, $before: String) {
    apiKeys(first: $first, last: $last, after: $after, before: $before) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { node { id name publicId scopes ratePerMinute createdAt expiresAt revokedAt lastUsedAt createdBy } }
    }
  }
`);
const Revoke = graphql(`
  mutation RevokeKey($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { id revokedAt } }
`);

type Key = ResultOf<typeof Keys>['apiKeys']['edges'][number]['node'];

const isEnded = ({ revokedAt, expiresAt }: Key) =>
  revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now());

const mayDo = (scopes: readonly string[]) =>
  scopes.includes('proof:write') ? 'Read and write' : scopes.includes('proof:read') ? 'Read' : 'Ask only';

const route = getRouteApi('/inside/c/$center/api-keys');

export default function KeysScreen() {
  const read = useList(Keys, route.useSearch(), () => ({}));
  useAuditEvents('api_key.changed', read.reload);
  const [making, { open, close }] = useDisclosure();
  useCommand('new-key', open);
  const rotating = useRowDialog<Key>();
  const [secret, setSecret] = useState<string | null>(null);
  const revoke = useAction(Revoke, { done: 'The key was revoked.' });
  const askRevoke = ({ id, name }: Key) =>
    modals.openConfirmModal({
      title: `Revoke “${name}”?`,
      children: 'Systems that use it lose access immediately. To avoid an interruption, rotate it instead.',
      labels: { confirm: 'Revoke', cancel: 'Keep' },
      confirmProps: { color: 'red' },
      onConfirm: () => void revoke.run({ input: { id } }).then(read.reload),
    });
  const made = (plaintext: string) => {
    setSecret(plaintext);
    read.reload();
  };
  const menu = (key: Key) => (
    <>
      <Menu.Item onClick={() => rotating.show(key)}>Rotate</Menu.Item>
      <Menu.Item color="var(--cs-bad)" onClick={() => askRevoke(key)}>
        Revoke
      </Menu.Item>
    </>
  );
  const columns: Column<Key>[] = [
    {
      name: 'Key',
      text: ({ name }) => name,
      cell: ({ name, publicId }) => (
        <span>
          <strong>{name}</strong>
          <br />
          <span className="mono" style={{ color: 'var(--mantine-color-dimmed)' }}>
            csk_{publicId}_…
          </span>
        </span>
      ),
    },
    { name: 'Scope', cell: ({ scopes }) => mayDo(scopes) },
    stateColumn('Status', keyState),
    {
      name: 'Requests per minute',
      right: true,
      wideOnly: true,
      cell: ({ ratePerMinute }) => ratePerMinute?.toLocaleString() ?? 'Default',
    },
    {
      name: 'Created',
      wideOnly: true,
      cell: ({ createdAt, createdBy }) => (
        <>
          <Day at={createdAt} />, {createdBy ?? 'by the service'}
        </>
      ),
    },
    agoColumn('Last used', ({ lastUsedAt }) => lastUsedAt),
    menuColumn((key) => !isEnded(key)),
  ];
  return (
    <Page
      title="API keys"
      intro="Agents and services use API keys to record decisions and read proofs of this center."
      actions={<NewButton onClick={open}>New key</NewButton>}
    >
      <PagedTable
        of={read}
        empty={
          <Empty
            icon={<IconKey />}
            title="No API keys yet"
            action={<Button onClick={open}>Create your first key</Button>}
          >
            Use a separate key for each system, so that you can revoke them independently.
          </Empty>
        }
        label="API keys"
        words={(total) => count(total, 'key')}
        columns={columns}
        menu={menu}
      />
      <NewKey opened={making} onClose={close} onMade={made} />
      <RowDialog of={rotating} title={({ name }) => `Rotate “${name}”`} onDone={read.reload}>
        {({ id }, done) => (
          <RotateKey
            id={id}
            onMade={(plaintext) => {
              done();
              setSecret(plaintext);
            }}
          />
        )}
      </RowDialog>
      <SecretDialog
        title="Your new key"
        value={secret}
        onClose={() => setSecret(null)}
        hint="Store it with the secrets of the system that uses it. It cannot be shown again."
      >
        {secret && <McpConfiguration secret={secret} />}
      </SecretDialog>
    </Page>
  );
}

function keyState(key: Key): State {
  if (key.revokedAt) return ['Revoked', 'quiet'];
  if (isEnded(key)) return ['Expired', 'quiet'];
  if (key.expiresAt) return [`Ends ${ago(key.expiresAt, new Date())}`, 'warn'];
  return ['Active', 'good'];
}
