import { Button } from '@mantine/core';
import { IconLink, IconLinkOff } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useCenter } from '../../session/session-context.ts';
import { chainLabel } from '../../text/chains.ts';
import { count } from '../../text/labels.ts';
import { Facts } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';

const Verify = graphql(`
  subscription VerifyOnce {
    verifyChain { checked total result {
      valid chains { domain valid chainLength brokenAt } differences { id }
    } }
  }
`);

type Progress = ResultOf<typeof Verify>['verifyChain'];

/** Whether the sealed records are unchanged, recomputed on request. */
export function Chains() {
  const { centerDomain: center } = useCenter();
  const [turn, setTurn] = useState(0);
  const [progress, setProgress] = useState<Progress>();
  const done = progress?.result;
  useLive(Verify, {}, ({ verifyChain }) => setProgress(verifyChain), {
    own: true,
    pause: turn === 0 || Boolean(done),
  });
  const again = () => {
    setProgress(undefined);
    setTurn(turn + 1);
  };
  return (
    <Panel
      title="Chains"
      actions={
        <Button size="compact-xs" variant="subtle" onClick={again} loading={turn > 0 && !done}>
          {done ? 'Verify again' : 'Verify now'}
        </Button>
      }
    >
      {!done && (
        <p style={{ margin: 0, fontSize: 14.5 }} role="status">
          {turn === 0
            ? 'Every record is linked to the previous one. Verify to recompute all of them.'
            : `Recomputed ${(progress?.checked ?? 0).toLocaleString()} of ${count(progress?.total ?? 0, 'record')}…`}
        </p>
      )}
      {done && (
        <Facts
          of={done.chains.map(({ domain, valid, chainLength, brokenAt }): [string, ReactNode] => [
            chainLabel(domain),
            valid ? (
              <Pill key={domain} tone="good" icon={<IconLink />}>
                Intact, {count(chainLength, 'record')}
              </Pill>
            ) : (
              <Pill key={domain} tone="bad" icon={<IconLinkOff />}>
                Something is wrong at record {brokenAt}
              </Pill>
            ),
          ])}
        />
      )}
      {done && done.differences.length > 0 && (
        <p style={{ margin: '10px 0 0', fontSize: 14.5 }}>
          {count(done.differences.length, 'thing')} that people see{' '}
          {done.differences.length === 1 ? 'is' : 'are'} not what was sealed.{' '}
          <TextLink to="/c/$center/ledger" params={{ center }}>
            Open the ledger to see which
          </TextLink>
        </p>
      )}
    </Panel>
  );
}
