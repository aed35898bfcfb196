import { Text } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { Facts } from '../../ui/facts.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { ConnectForm } from './connect-form.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { mailedToken } from './mailed-token.ts';

const ReadWaiting = graphql(`
  query WaitingIdentity {
    waitingIdentity { centerName centerDomain providerName issuer name email matchedBy hasAccount next }
  }
`);

type Waiting = NonNullable<ResultOf<typeof ReadWaiting>['waitingIdentity']>;

/** After a company's provider has confirmed a person: they prove that an existing profile is theirs, once. */
export default function ConnectScreen() {
  const read = useRead(ReadWaiting, {});
  const waiting = read.data?.waitingIdentity;
  return (
    <EntryFrame
      title={waiting === null ? 'No sign-in waits here' : 'Is this your profile?'}
      center={waiting?.centerDomain}
      intro={waiting && introOf(waiting)}
    >
      <Loaded of={read} small>
        {(data) =>
          data.waitingIdentity ? (
            <Profile of={data.waitingIdentity} onExpired={read.reload} />
          ) : (
            <NothingWaits />
          )
        }
      </Loaded>
    </EntryFrame>
  );
}

const introOf = ({ centerName, providerName }: Waiting) =>
  `You signed in with ${providerName}. ${centerName} already has a profile that seems to be yours. Prove it once; from then on ${providerName} opens it.`;

function Profile({ of: waiting, onExpired }: { of: Waiting; onExpired: () => void }) {
  const { centerName, providerName, issuer, name, email, matchedBy } = waiting;
  return (
    <div>
      <Facts
        of={{
          Name: name,
          Email: email,
          Center: centerName,
          'Signed in at': issuer,
          'Why this one':
            matchedBy === 'ADDRESS'
              ? `It has the email address that ${providerName} gave.`
              : 'The directory of the center names it.',
        }}
      />
      <Text size="sm" my="md">
        If it is not yours, close this page and tell an administrator of the center.
      </Text>
      <ConnectForm of={waiting} onExpired={onExpired} />
    </div>
  );
}

const NothingWaits = () => (
  <Empty
    small
    icon={<IconLinkOff />}
    title={mailedToken ? 'Open the link where you signed in' : 'Sign in again'}
    action={<ButtonLink to="/sign-in">Sign in</ButtonLink>}
  >
    {mailedToken
      ? 'The link works only in the browser in which you signed in with your company, for ten minutes after that.'
      : 'A sign-in waits for ten minutes, in the browser in which it began.'}
  </Empty>
);
