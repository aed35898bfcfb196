import { Button } from '@mantine/core';
import { useCenter } from '../../session/session-context.ts';
import { chainLabel } from '../../text/chains.ts';
import { count } from '../../text/labels.ts';
import { Facts } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ChainPill, useVerification } from '../ledger/verification.tsx';

/** Whether the sealed records are unchanged, recomputed on request. */
export function Chains() {
  const { centerDomain: center } = useCenter();
  const { begun, progress, done, start } = useVerification();
  return (
    <Panel
      title="Chains"
      actions={
        <Button size="compact-xs" variant="subtle" onClick={start} loading={begun && !done}>
          {done ? 'Verify again' : 'Verify now'}
        </Button>
      }
    >
      {!done && (
        <p style={{ margin: 0, fontSize: 14.5 }} role="status">
          {begun
            ? `Recomputed ${(progress?.checked ?? 0).toLocaleString()} of ${count(progress?.total ?? 0, 'record')}…`
            : 'Every record is linked to the previous one. Verify to recompute all of them.'}
        </p>
      )}
      {done && (
        <Facts
          of={Object.fromEntries(
            done.chains.map((chain) => [
              chainLabel(chain.domain),
              <ChainPill key={chain.domain} of={chain} />,
            ]),
          )}
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
