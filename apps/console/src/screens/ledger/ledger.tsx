import { Button, Progress } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { useCenter } from '../../session/session-context.ts';
import { chainLabel } from '../../text/chains.ts';
import { count } from '../../text/labels.ts';
import { Copyable, shortHash } from '../../ui/copy.tsx';
import { TextLink } from '../../ui/link.tsx';
import { TablePanel } from '../../ui/loaded-table.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { Ago } from '../../ui/time.tsx';
import { useRefresh } from '../../ui/use-refresh.ts';
import { Differences } from './differences.tsx';
import classes from './ledger.module.css';
import { ChainPill, useVerification, type Verification } from './verification.tsx';

const LedgerNow = graphql(`
  query LedgerNow {
    chains {
      domain
      origin
      length
      headHash
      unsigned
      lastCheckpoint { size createdAt keyId }
    }
    signingKeys { keyId vkey from until }
  }
`);
const SignNow = graphql(`
  mutation SignNow($input: MakeCheckpointInput!) { makeCheckpoint(input: $input) { id size } }
`);

/** The chains of the center and whether they are valid. */
export default function LedgerScreen() {
  const { centerDomain: center } = useCenter();
  const read = useRead(LedgerNow, {});
  useAuditEvents('any', read.reload);
  useRefresh(read.reload);
  const sign = useAction(SignNow, { done: 'Signed.' });
  return (
    <Page
      title="Ledger"
      intro="All sealed, audited and journaled records are on hash chains, each linked to the previous one."
    >
      <Verify />
      <TablePanel
        title="Chains"
        hint="Chain heads are signed about every minute. Signed records cannot be rewritten unnoticed."
        of={read}
        linked
        keyOf={({ domain }) => domain}
        rows={read.data?.chains}
        columns={[
          {
            name: 'Chain',
            cell: ({ domain, origin }) => (
              <>
                <TextLink to="/c/$center/ledger/$domain" params={{ center, domain }}>
                  <strong>{chainLabel(domain)}</strong>
                </TextLink>
                {origin && <span className="subline">{origin}</span>}
              </>
            ),
          },
          { name: 'Records', right: true, cell: ({ length }) => length.toLocaleString() },
          {
            name: 'Head',
            wideOnly: true,
            cell: ({ headHash }) =>
              headHash && <Copyable value={headHash} shown={shortHash(headHash)} label="Copy head hash" />,
          },
          {
            name: 'Signed',
            cell: ({ lastCheckpoint, unsigned, length }) => (
              <>
                {length === 0 ? (
                  <Pill>Nothing to sign</Pill>
                ) : unsigned === 0 ? (
                  <Pill tone="good">All signed</Pill>
                ) : (
                  <Pill tone="info">{count(unsigned, 'record')} to be signed</Pill>
                )}
                {lastCheckpoint && (
                  <span className="subline">
                    {count(lastCheckpoint.size, 'record')} signed <Ago at={lastCheckpoint.createdAt} />
                  </span>
                )}
              </>
            ),
          },
          {
            name: 'Sign',
            unnamed: true,
            right: true,
            cell: ({ domain, unsigned }) =>
              unsigned > 0 && (
                <Button
                  size="compact-sm"
                  variant="default"
                  loading={sign.busy}
                  onClick={() => void sign.run({ input: { domain } }).then(read.reload)}
                >
                  Sign now<span className="visually-hidden"> {chainLabel(domain)}</span>
                </Button>
              ),
          },
        ]}
      />
      <TablePanel
        title="Signing keys"
        hint="Give one of these keys to the people who verify your proofs."
        of={read}
        lines={2}
        keyOf={({ keyId }) => keyId}
        rows={read.data?.signingKeys}
        columns={[
          { name: 'Key', cell: ({ vkey }) => <Copyable value={vkey} label="Copy verifier key" /> },
          {
            name: 'State',
            right: true,
            cell: ({ until }) => <Pill tone={until ? 'quiet' : 'good'}>{until ? 'Retired' : 'Signs'}</Pill>,
          },
        ]}
      />
    </Page>
  );
}

function verdictOf({ valid, chains }: Verification): string {
  if (valid) return 'All chains are valid.';
  return chains.every((chain) => chain.valid)
    ? 'The chains are valid, but rows differ from what was sealed.'
    : 'A chain was changed.';
}

/** Recomputes every record and shows the progress. */
function Verify() {
  const { centerDomain: center } = useCenter();
  const { begun, progress, done, start } = useVerification();
  const part = progress && progress.total > 0 ? (progress.checked / progress.total) * 100 : 0;
  return (
    <Panel
      title="Verify everything"
      actions={
        <Button
          leftSection={<IconShieldCheck size={16} />}
          variant={done ? 'default' : 'filled'}
          loading={begun && !done}
          onClick={start}
        >
          {done ? 'Verify again' : 'Verify all chains'}
        </Button>
      }
    >
      <div role="status">
        {!begun && (
          <p className={classes.text}>
            Recomputes the hash of every record and compares it with the signed checkpoints.
          </p>
        )}
        {begun && !done && (
          <>
            <Progress value={part} aria-label="Progress" />
            <p className={classes.text}>
              {progress
                ? `${chainLabel(progress.domain)}: ${progress.checked.toLocaleString()} of ${count(progress.total, 'record')}`
                : 'Beginning…'}
            </p>
          </>
        )}
        {done && (
          <>
            <p className={classes.verdict} data-good={done.valid || undefined}>
              {verdictOf(done)}
            </p>
            <ul className={classes.results}>
              {done.chains.map((chain) => (
                <li key={chain.domain}>
                  {chainLabel(chain.domain)}: <ChainPill of={chain} />{' '}
                  {!chain.valid && chain.brokenAt !== null && (
                    <TextLink
                      to="/c/$center/ledger/$domain"
                      params={{ center, domain: chain.domain }}
                      search={{ at: String(chain.brokenAt) }}
                    >
                      Show
                    </TextLink>
                  )}
                </li>
              ))}
            </ul>
            <Differences of={done.differences} />
          </>
        )}
      </div>
    </Panel>
  );
}
