import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCertificate } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { graphql } from '../../graphql/graphql.ts';
import { useIsStaff } from '../../session/session-context.ts';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Empty } from '../../ui/states.tsx';
import { Day } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { useRefresh } from '../../ui/use-refresh.ts';
import { IssueCertificate } from './issue-certificate.tsx';

const Certificates = graphql(`
  query Certificates($first: Int, $last: Int, $after: String, $before: String) {
    certificates(first: $first, last: $last, after: $after, before: $before) {
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { node { id learnerName title courseRef issuedAt } }
    }
  }
`);

const route = getRouteApi('/inside/c/$center/certificates');

/** The certificates that the center has issued. */
export default function CertificatesScreen() {
  const { center } = route.useParams();
  const [opened, { open, close }] = useDisclosure();
  const read = useList(Certificates, route.useSearch(), () => ({}));
  useRefresh(read.reload);
  const isStaff = useIsStaff();
  return (
    <Page
      title="Certificates"
      intro={
        isStaff
          ? 'Each certificate is sealed when it is issued, with a proof that others can verify.'
          : 'Open a certificate to read or print it.'
      }
      actions={
        isStaff && (
          <Button leftSection={<IconCertificate size={16} />} onClick={open}>
            Issue certificate
          </Button>
        )
      }
    >
      <PagedTable
        of={read}
        empty={
          <Empty icon={<IconCertificate />} title="No certificates yet">
            {isStaff ? 'Issue one to a member of the center.' : 'The center has not issued one yet.'}
          </Empty>
        }
        label="Certificates"
        linked
        columns={[
          {
            name: 'Holder',
            text: ({ learnerName }) => learnerName || 'erased',
            href: ({ id }) => `/c/${center}/certificates/${id}`,
          },
          { name: 'Title', cell: ({ title }) => title },
          { name: 'Course', wideOnly: true, cell: ({ courseRef }) => courseRef },
          { name: 'Issued', right: true, cell: ({ issuedAt }) => <Day at={issuedAt} /> },
        ]}
      />
      {isStaff && <IssueCertificate opened={opened} onClose={close} onDone={read.reload} />}
    </Page>
  );
}
