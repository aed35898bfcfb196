import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useCenter, usePublicProof } from '../../session/session-context.ts';
import { recordNumber } from '../../text/chains.ts';
import { Copyable, shortHash } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './decision.module.css';
import type { Decision } from './one-decision.ts';

const ChainLengths = graphql(`query ChainLengths { chains { domain length } }`);

/** Where the decision is on the proof chain. On paper also where to find it: paper has no address. */
export function ChainPosition({ decision: { id, status, evidence } }: { decision: Decision }) {
  const center = useCenter();
  const publicProof = usePublicProof();
  const isSealed = status === 'sealed';
  const { data } = useRead(ChainLengths, {}, { pause: !isSealed });
  const length = data?.chains.find(({ domain }) => domain === 'proof')?.length;
  return (
    <Panel title="Chain position">
      {isSealed ? (
        <Facts
          of={{
            Record: `${recordOf(evidence.chainIndex ?? 0, length)} of the proof chain`,
            Fingerprint: evidence.chainHash && (
              <>
                <span className="no-print">
                  <Copyable
                    value={evidence.chainHash}
                    shown={shortHash(evidence.chainHash)}
                    label="Copy fingerprint"
                  />
                </span>
                <span className="print-only mono">{evidence.chainHash}</span>
              </>
            ),
          }}
        />
      ) : (
        <p className={classes.none}>
          {status === 'rejected'
            ? 'Rejected decisions are not sealed.'
            : 'It gets a chain position when it is sealed.'}
        </p>
      )}
      <div className={`print-only ${classes.paper}`}>
        <Facts
          of={{
            Center: center.name,
            Decision: <span className="mono">{id}</span>,
            'This page': window.location.href,
            'Public proof': isSealed && publicProof && `${window.location.origin}/verify/${id}`,
          }}
        />
      </div>
    </Panel>
  );
}

/** Readers count from 1, the API from 0. The chain may have grown since its length was read. */
const recordOf = (index: number, length: number | undefined) =>
  length !== undefined && length > index
    ? `Record ${recordNumber(index)} of ${length.toLocaleString()}`
    : `Record ${recordNumber(index)}`;
