import { Button } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useCenter, useIsStaff, usePublishesRecords } from '../../session/session-context.ts';
import { Brand } from '../../ui/brand.tsx';
import { useBrand } from '../../ui/brand-store.ts';
import { BackLink, TextLink } from '../../ui/link.tsx';
import { useTitle } from '../../ui/page.tsx';
import { PanelsSkeleton } from '../../ui/skeletons.tsx';
import { Loaded, Missing } from '../../ui/states.tsx';
import { Day } from '../../ui/time.tsx';
import classes from './certificate.module.css';

const OneCertificate = graphql(`
  query OneCertificate($id: ID!) {
    certificate(id: $id) { id title courseRef learnerName dpuId issuedAt }
  }
`);

const route = getRouteApi('/inside/c/$center/certificates/$id');

/** A printable certificate with the brand of the center. */
export default function CertificateScreen() {
  const { center, id } = route.useParams();
  const read = useRead(OneCertificate, { id });
  const isStaff = useIsStaff();
  useTitle(read.data?.certificate?.title ?? 'Certificate');
  return (
    <Loaded of={read} page="Certificate" skeleton={<PanelsSkeleton lines={[8]} />}>
      {({ certificate }) =>
        certificate ? (
          <div className={classes.page}>
            <div className={`${classes.bar} no-print`}>
              <BackLink to="/c/$center/certificates" params={{ center }} label="Certificates" />
              <span className={classes.actions}>
                {isStaff && (
                  <TextLink to="/c/$center/records/$id" params={{ center, id: certificate.dpuId }}>
                    Show its record
                  </TextLink>
                )}
                <Button leftSection={<IconPrinter size={16} />} onClick={() => print()}>
                  Print
                </Button>
              </span>
            </div>
            <Sheet certificate={certificate} />
          </div>
        ) : (
          <Missing />
        )
      }
    </Loaded>
  );
}

interface SheetProps {
  certificate: {
    title: string;
    courseRef: string;
    learnerName: string;
    dpuId: string;
    issuedAt: string;
  };
}

function Sheet({ certificate: { title, courseRef, learnerName, dpuId, issuedAt } }: SheetProps) {
  const { name } = useCenter();
  const brand = useBrand();
  const isPublic = usePublishesRecords();
  return (
    <article className={classes.sheet}>
      <header>
        {brand?.name ? <Brand /> : <strong>{name}</strong>}
        {brand?.tagline && <p className={classes.tagline}>{brand.tagline}</p>}
      </header>
      <p className={classes.kind}>Certificate</p>
      <h1 className={classes.title}>{title}</h1>
      <p className={classes.holder}>{learnerName || 'erased'}</p>
      <p>has completed {courseRef}.</p>
      <footer className={classes.foot}>
        <p>
          {name}, <Day at={issuedAt} />
        </p>
        <p className={classes.proof}>
          {isPublic ? `Verify at ${location.origin}/verify/${dpuId}` : `Record ${dpuId}`}
        </p>
      </footer>
    </article>
  );
}
