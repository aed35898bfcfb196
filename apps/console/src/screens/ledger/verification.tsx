import { IconLink, IconLinkOff } from '@tabler/icons-react';
import { useState } from 'react';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useLive } from '../../graphql/use-live.ts';
import { recordNumber } from '../../text/chains.ts';
import { count } from '../../text/labels.ts';
import { Pill } from '../../ui/pill.tsx';

const VerifyAll = graphql(`
  subscription VerifyAll {
    verifyChain {
      domain
      checked
      total
      result {
        valid
        chains { domain valid chainLength brokenAt }
        differences { table id chain index member }
      }
    }
  }
`);

type Progress = ResultOf<typeof VerifyAll>['verifyChain'];
export type Verification = NonNullable<Progress['result']>;

/** Recomputes every record of the center on request. */
export function useVerification() {
  const [begun, setBegun] = useState(false);
  const [progress, setProgress] = useState<Progress>();
  const done = progress?.result;
  useLive(VerifyAll, {}, ({ verifyChain }) => setProgress(verifyChain), {
    own: true,
    pause: !begun || Boolean(done),
  });
  const start = () => {
    setProgress(undefined);
    setBegun(true);
  };
  return { begun, progress, done, start };
}

/** Whether a chain is intact, or where it is not. */
export function ChainPill({ of: { valid, chainLength, brokenAt } }: { of: Verification['chains'][number] }) {
  return valid ? (
    <Pill tone="good" icon={<IconLink />}>
      Intact, {count(chainLength, 'record')}
    </Pill>
  ) : (
    <Pill tone="bad" icon={<IconLinkOff />}>
      Something is wrong{brokenAt !== null && ` at record ${recordNumber(brokenAt)}`}
    </Pill>
  );
}
