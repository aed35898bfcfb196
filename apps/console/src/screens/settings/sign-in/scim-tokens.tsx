import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { IconAddressBook } from '@tabler/icons-react';
import { useState } from 'react';
import { graphql, type ResultOf } from '../../../graphql/graphql.ts';
import { useAction } from '../../../graphql/use-action.ts';
import { useRead } from '../../../graphql/use-read.ts';
import { useAuditEvents } from '../../../session/live-center.tsx';
import { RowDialog } from '../../../ui/form-dialog.tsx';
import { TablePanel } from '../../../ui/loaded-table.tsx';
import { SecretDialog } from '../../../ui/secret-dialog.tsx';
import { Empty } from '../../../ui/states.tsx';
import { menuColumn } from '../../../ui/table.tsx';
import { agoColumn, Day } from '../../../ui/time.tsx';
import { useRowDialog } from '../../../ui/use-row-dialog.ts';
import { NewScimToken, RotateScimToken } from './scim-token-forms.tsx';

const ScimTokens = graphql(`query ScimTokens { scimTokens { id name createdAt expiresAt lastUsedAt } }`);
const Revoke = graphql(`
  mutation RevokeScimToken($input: RevokeScimTokenInput!) { revokeScimToken(input: $input) { id } }
`);

type ScimToken = ResultOf<typeof ScimTokens>['scimTokens'][number];

const MAX_TOKENS = 5;

/** Tokens with which the company's directory creates and ends people and groups. */
export function ScimTokensPanel() {
  const read = useRead(ScimTokens, {});
  useAuditEvents('api_key.changed', read.reload);
  const [making, { open, close }] = useDisclosure();
  const rotating = useRowDialog<ScimToken>();
  const [secret, setSecret] = useState<string | null>(null);
  const revoke = useAction(Revoke, { done: 'The token was revoked.' });
  const tokens = read.data?.scimTokens;
  const askRevoke = ({ id, name }: ScimToken) =>
    modals.openConfirmModal({
      title: `Revoke “${name}”?`,
      children:
        'The directory that uses it loses access immediately: people who leave the company keep their access here until it has another token. To avoid that, rotate it instead.',
      labels: { confirm: 'Revoke', cancel: 'Keep' },
      confirmProps: { color: 'red' },
      onConfirm: () => void revoke.run({ input: { id } }).then(read.reload),
    });
  const made = (plaintext: string) => {
    setSecret(plaintext);
    read.reload();
  };
  return (
    <>
      <TablePanel
        title="Directory (SCIM)"
        hint="Your directory creates people and groups here, and ends access when someone leaves. Enter the SCIM base URL and a token there."
        actions={
          <Button size="xs" variant="default" disabled={(tokens?.length ?? 0) >= MAX_TOKENS} onClick={open}>
            New token
          </Button>
        }
        of={read}
        rows={tokens}
        lines={2}
        empty={
          <Empty small icon={<IconAddressBook />} title="No directory is connected">
            Create a token to connect one.
          </Empty>
        }
        menu={(token) => (
          <>
            <Menu.Item onClick={() => rotating.show(token)}>Rotate</Menu.Item>
            <Menu.Item color="var(--cs-bad)" onClick={() => askRevoke(token)}>
              Revoke
            </Menu.Item>
          </>
        )}
        columns={[
          {
            name: 'Token',
            text: ({ name }) => name,
            below: ({ createdAt }) => (
              <>
                Created <Day at={createdAt} />
              </>
            ),
          },
          {
            name: 'Expires',
            cell: ({ expiresAt }) => (expiresAt ? <Day at={expiresAt} /> : 'Never'),
          },
          agoColumn<ScimToken>('Last used', ({ lastUsedAt }) => lastUsedAt),
          menuColumn(),
        ]}
      />
      <NewScimToken opened={making} onClose={close} onMade={made} />
      <RowDialog of={rotating} title={({ name }) => `Rotate “${name}”`} onDone={read.reload}>
        {({ id }, done) => (
          <RotateScimToken
            id={id}
            onMade={(plaintext) => {
              done();
              setSecret(plaintext);
            }}
          />
        )}
      </RowDialog>
      <SecretDialog
        title="Your new SCIM token"
        value={secret}
        onClose={() => setSecret(null)}
        hint="Enter it in your directory. It cannot be shown again."
      />
    </>
  );
}
