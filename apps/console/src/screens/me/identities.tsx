import { Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { IconBuilding, IconPlus } from '@tabler/icons-react';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useSession } from '../../session/session-context.ts';
import { FormDialog, useActionForm } from '../../ui/form-dialog.tsx';
import { TablePanel } from '../../ui/loaded-table.tsx';
import { Empty } from '../../ui/states.tsx';
import { Ago, Day } from '../../ui/time.tsx';
import { slugIn } from '../entry/company-form.tsx';

const MyIdentities = graphql(`
  query MyIdentities { identities { id centerName issuer email linkedAt lastSignInAt } }
`);
const Link = graphql(`
  mutation LinkIdentity($input: LinkIdentityInput!) { linkIdentity(input: $input) { url } }
`);
const Unlink = graphql(`
  mutation UnlinkIdentity($input: UnlinkIdentityInput!) { unlinkIdentity(input: $input) }
`);

/** The companies whose sign-in opens the profile. A session from a provider cannot change them. */
export function Identities({ canChange }: { canChange: boolean }) {
  const read = useRead(MyIdentities, {});
  const [opened, { open, close }] = useDisclosure();
  const unlink = useAction(Unlink, { done: 'The sign-in was disconnected.' });
  const ask = ({ id, centerName }: { id: string; centerName: string }) =>
    modals.openConfirmModal({
      title: `Disconnect the sign-in of ${centerName}?`,
      children: 'Its sessions end now. You stay a member, and can sign in with your password or a passkey.',
      labels: { confirm: 'Disconnect', cancel: 'Keep' },
      confirmProps: { color: 'red' },
      onConfirm: () => void unlink.run({ input: { id } }).then(read.reload),
    });
  return (
    <>
      <TablePanel
        title="Company sign-in"
        hint="The sign-in of a company opens your profile in its center, and nowhere else."
        actions={
          canChange && (
            <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={open}>
              Connect
            </Button>
          )
        }
        of={read}
        rows={read.data?.identities}
        lines={2}
        empty={<Empty small icon={<IconBuilding />} title="No company sign-in connected" />}
        columns={[
          { name: 'Center', cell: ({ centerName }) => <strong>{centerName}</strong> },
          { name: 'Signs in at', cell: ({ issuer }) => issuer },
          { name: 'Address there', cell: ({ email }) => email ?? '–' },
          { name: 'Connected', cell: ({ linkedAt }) => <Day at={linkedAt} /> },
          {
            name: 'Last used',
            cell: ({ lastSignInAt }) => (lastSignInAt ? <Ago at={lastSignInAt} /> : 'Never'),
          },
          {
            name: 'Disconnect',
            unnamed: true,
            right: true,
            button: { isShown: () => canChange, about: ({ centerName }) => centerName, onClick: ask },
          },
        ]}
      />
      {canChange && <ConnectDialog opened={opened} onClose={close} />}
    </>
  );
}

function ConnectDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { me } = useSession();
  const { form, act, save, field } = useActionForm(Link, {
    initialValues: { center: me.centerDomain ?? '' },
    validate: {
      center: (text) => (slugIn(text) ? null : 'Enter the name of the center as in its address.'),
    },
    input: ({ center }) => ({ centerDomain: slugIn(center)! }),
    onDone: ({ linkIdentity }) => location.assign(linkIdentity.url),
  });
  return (
    <FormDialog
      title="Connect a company sign-in"
      opened={opened}
      onClose={onClose}
      form={form}
      act={act}
      save={save}
      verb="Continue"
    >
      <TextInput
        label="Name of the center"
        description="It is in the address of the console, after /c/. You sign in at its company next, then return here."
        autoCapitalize="none"
        data-autofocus
        {...field('center')}
      />
    </FormDialog>
  );
}
