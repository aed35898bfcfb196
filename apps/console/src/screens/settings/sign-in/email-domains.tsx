import { Button, Menu, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { IconAt } from '@tabler/icons-react';
import { graphql, type ResultOf } from '../../../graphql/graphql.ts';
import { useAction } from '../../../graphql/use-action.ts';
import { useRead } from '../../../graphql/use-read.ts';
import { useAuditEvents } from '../../../session/live-center.tsx';
import { invalidateSession } from '../../../session/session.ts';
import { Copyable } from '../../../ui/copy.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { type DialogProps, FormDialog, useActionForm } from '../../../ui/form-dialog.tsx';
import { TablePanel } from '../../../ui/loaded-table.tsx';
import { Pill } from '../../../ui/pill.tsx';
import { RowMenuButton } from '../../../ui/row-menu.tsx';
import { Empty } from '../../../ui/states.tsx';
import { actionsColumn } from '../../../ui/table.tsx';
import { Day } from '../../../ui/time.tsx';

const EmailDomains = graphql(`query EmailDomains { emailDomains { domain txtName txtValue verifiedAt } }`);
const Verify = graphql(`
  mutation VerifyEmailDomain($input: VerifyEmailDomainInput!) { verifyEmailDomain(input: $input) { domain verifiedAt } }
`);
const SaveDomains = graphql(`
  mutation SaveEmailDomains($input: UpdateCenterInput!) { updateCenter(input: $input) { id settings } }
`);

type EmailDomain = ResultOf<typeof EmailDomains>['emailDomains'][number];

/** Domains of the company's addresses, each proven by a DNS record. */
export function EmailDomainsPanel() {
  const read = useRead(EmailDomains, {});
  useAuditEvents('center.updated', read.reload);
  const [adding, { open, close }] = useDisclosure();
  const domains = read.data?.emailDomains;
  const verify = useAction(Verify, {
    done: 'The domain is verified.',
    failureTitle: 'The domain is not verified',
  });
  const remove = useAction(SaveDomains, { done: 'The domain was removed.' });
  const check = ({ domain }: EmailDomain) => void verify.run({ input: { domain } }).then(read.reload);
  const askRemove = ({ domain: removed }: EmailDomain) =>
    modals.openConfirmModal({
      title: `Remove ${removed}?`,
      children:
        'People with these addresses are no longer led to your provider, and notices are no longer mailed to those who exist only through it.',
      labels: { confirm: 'Remove', cancel: 'Keep' },
      confirmProps: { color: 'red' },
      onConfirm: () => {
        const emailDomains = (domains ?? []).map(({ domain }) => domain).filter((each) => each !== removed);
        void remove.run({ input: { emailDomains } }).then(() => {
          invalidateSession();
          read.reload();
        });
      },
    });
  return (
    <>
      <TablePanel
        title="Email domains"
        hint="A verified domain leads its addresses to your provider on the sign-in page, makes addresses from providers such as Entra ID trusted, and lets notices be mailed to people who exist only through the provider. The record is checked again every day."
        actions={
          <Button size="xs" variant="default" onClick={open} disabled={domains === undefined}>
            Add domain
          </Button>
        }
        of={read}
        rows={domains}
        keyOf={({ domain }) => domain}
        lines={2}
        empty={<Empty small icon={<IconAt />} title="No email domain yet" />}
        menu={(row) => (
          <>
            <Menu.Item onClick={() => check(row)}>Check now</Menu.Item>
            <Menu.Item color="var(--cs-bad)" onClick={() => askRemove(row)}>
              Remove
            </Menu.Item>
          </>
        )}
        columns={[
          { name: 'Domain', text: ({ domain }) => domain },
          { name: 'DNS record', cell: (row) => <DnsRecord of={row} /> },
          { name: 'Status', cell: (row) => <DomainState of={row} /> },
          actionsColumn<EmailDomain>((row) => (
            <RowMenuButton row={row.domain} label={`Actions for ${row.domain}`}>
              {row.verifiedAt === null && (
                <Button size="compact-sm" variant="default" loading={verify.busy} onClick={() => check(row)}>
                  Check now<span className="visually-hidden">: {row.domain}</span>
                </Button>
              )}
            </RowMenuButton>
          )),
        ]}
      />
      {domains && (
        <AddDomain
          opened={adding}
          onClose={close}
          onDone={read.reload}
          domains={domains.map(({ domain }) => domain)}
        />
      )}
    </>
  );
}

const DnsRecord = ({ of: { domain, txtName, txtValue } }: { of: EmailDomain }) => (
  <Facts
    of={{
      Type: 'TXT',
      Name: <Copyable value={txtName} label={`Copy the name of the record for ${domain}`} />,
      Value: <Copyable value={txtValue} label={`Copy the value of the record for ${domain}`} />,
    }}
  />
);

function DomainState({ of: { verifiedAt } }: { of: EmailDomain }) {
  if (!verifiedAt) return <Pill tone="warn">Not verified</Pill>;
  return (
    <>
      <Pill tone="good">Verified</Pill>
      <span className="subline">
        <Day at={verifiedAt} />
      </span>
    </>
  );
}

const isDomain = (value: string) => /^[^\s@]+\.[^\s@.]+$/.test(value.trim());

function AddDomain({ domains, ...dialog }: DialogProps & { domains: string[] }) {
  const action = useActionForm(SaveDomains, {
    done: 'Now add the DNS record.',
    initialValues: { domain: '' },
    validate: {
      domain: (value) => (isDomain(value) ? null : 'Enter a domain, such as example.com.'),
    },
    input: ({ domain }) => ({ emailDomains: [...domains, domain.trim().toLowerCase()] }),
    onDone: invalidateSession,
  });
  return (
    <FormDialog {...dialog} {...action} title="Add an email domain" verb="Add domain">
      <TextInput
        label="Domain"
        description="What follows the @ in the addresses of your company."
        placeholder="example.com"
        required
        data-autofocus
        {...action.field('domain')}
      />
    </FormDialog>
  );
}
