import { IconCircleCheck } from '@tabler/icons-react';
import { useEffect } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { approverLabel } from '../../text/approver.ts';
import { ButtonLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/states.tsx';
import { useNow } from '../../ui/use-now.ts';
import { EntryFrame } from './entry-frame.tsx';

const OpenCenters = graphql(`query OpenCenters { me { authorizedDomains } }`);

const LOOK_AGAIN_MS = 15_000;

interface AcceptedProps {
  offer: { centerDomain: string; approver: { kind: string; name: string } };
  /** As the invited person: then the page can see the approval. Null until that is known. */
  signedIn: boolean | null;
}

/** After an invitation was accepted, until the membership is approved. */
export function Accepted({ offer: { centerDomain, approver }, signedIn }: AcceptedProps) {
  const read = useRead(OpenCenters, {}, { pause: signedIn !== true });
  const { reload } = read;
  const now = useNow(LOOK_AGAIN_MS);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per tick, not once per render
  useEffect(reload, [now]);
  const isApproved = read.data?.me.authorizedDomains.includes(centerDomain) ?? false;
  useEffect(() => {
    // A whole new page: nothing of an earlier session stays in memory.
    if (isApproved) location.assign(`/c/${centerDomain}`);
  }, [isApproved, centerDomain]);
  return (
    <EntryFrame title="Welcome" center={centerDomain}>
      <Empty
        small
        icon={<IconCircleCheck />}
        title="You have accepted"
        action={
          signedIn === false && (
            <ButtonLink to="/sign-in" search={{ center: centerDomain }}>
              Sign in
            </ButtonLink>
          )
        }
      >
        {approverLabel(approver)} approves your membership.{' '}
        {signedIn
          ? 'This page opens the center as soon as that is done. You also get an email.'
          : 'You get an email when that is done.'}
      </Empty>
    </EntryFrame>
  );
}
