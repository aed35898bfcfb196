import { Button } from '@mantine/core';
import { IconLink, IconLinkOff } from '@tabler/icons-react';
import { useState } from 'react';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useLive } from '../../graphql/use-live.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { chainWords, rowWords } from '../../words/chains.ts';
import { count } from '../../words/labels.ts';

const Verify = graphql(`
  subscription VerifyOnce {
    verifyChain { checked total result {
      valid chains { domain valid chainLength brokenAt } differences { table id index member }
    } }
  }
`);

type Progress = ResultOf<typeof Verify>['verifyChain'];

/** Whether what was sealed is still what it was, recomputed on request. */
export function Chains() {
  const [turn, setTurn] = useState(0);
  const [progress, setProgress] = useState<Progress>();
  const done = progress?.result;
  useLive(Verify, {}, ({ verifyChain }) => setProgress(verifyChain), { pause: turn === 0 || Boolean(done) });
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
            ? 'Every record is linked to the one before. Verify to recompute them all.'
            : `Recomputed ${(progress?.checked ?? 0).toLocaleString()} of ${count(progress?.total ?? 0, 'record')}…`}
        </p>
      )}
      {done && (
        <Facts
          of={done.chains.map(({ domain, valid, chainLength, brokenAt }) => [
            chainWords(domain),
            valid ? (
              <Pill key={domain} tone="good" icon={<IconLink />}>
                Intact, {count(chainLength, 'record')}
              </Pill>
            ) : (
              <Pill key={domain} tone="bad" icon={<IconLinkOff />}>
                Broken at record {brokenAt}
              </Pill>
            ),
          ])}
        />
      )}
      {done && done.differences.length > 0 && (
        <ul
          aria-label="Rows that are not what was sealed"
          style={{ margin: '8px 0 0', paddingLeft: 18, fontSize: 14 }}
        >
          {done.differences.map(({ table, id, index, member }) => (
            <li key={`${table} ${id} ${index} ${member}`}>
              {rowWords(table)} {id}: {member ?? 'the whole row'}
              {index === null ? ', of which no record speaks' : `, by record ${index}`}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
