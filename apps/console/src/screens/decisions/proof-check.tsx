import { Button, Loader } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconMinus, IconShieldCheck, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { failureMessage, failureOf } from '../../graphql/failure.ts';
import { Panel } from '../../ui/panel.tsx';
import { type Checked, checkProof } from './check-proof.ts';
import { type Decision, ExportOf } from './one-decision.ts';
import classes from './proof-check.module.css';

const icons = { pass: <IconCheck size={14} />, fail: <IconX size={14} />, absent: <IconMinus size={14} /> };

/** Shown if the verifier could not run. */
const unchecked = ({ message }: Error): Checked => ({
  verdict: 'unchecked',
  tone: 'bad',
  words: message,
  reason: '',
  steps: [],
});

/** Runs the verifier in this browser, from the exported document alone. */
export function ProofCheck({ decision }: { decision: Decision }) {
  const client = useClient();
  const [checked, setChecked] = useState<Checked>();
  const [turn, setTurn] = useState(0);
  const { status, evidence } = decision;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new run verifies again
  useEffect(() => {
    if (status !== 'sealed') return undefined;
    let current = true;
    const run = async () => {
      const { data, error } = await client
        .query(ExportOf, { id: evidence.id }, { requestPolicy: 'network-only' })
        .toPromise();
      const failure = failureOf(error);
      if (failure || !data)
        throw new Error(failure ? failureMessage(failure) : 'The proof could not be loaded.');
      return checkProof(data.evidenceExport, data.signingKeys);
    };
    setChecked(undefined);
    void run()
      .catch(unchecked)
      .then((result) => current && setChecked(result));
    return () => {
      current = false;
    };
  }, [client, status, evidence.id, turn]);
  if (status !== 'sealed') return null;
  const Icon = checked?.tone === 'good' ? IconShieldCheck : IconAlertTriangle;
  return (
    <Panel
      title="Checked in this browser"
      actions={
        <Button size="compact-xs" variant="subtle" onClick={() => setTurn(turn + 1)}>
          Check again
        </Button>
      }
    >
      <div role="status">
        <p className={classes.verdict} data-tone={checked?.tone} data-verdict={checked?.verdict}>
          {checked ? <Icon size={18} aria-hidden="true" /> : <Loader size="xs" />}
          {checked?.words ?? 'Verifying hashes and signatures…'}
        </p>
      </div>
      {checked?.reason && checked.tone !== 'good' && <p className={classes.reason}>{checked.reason}</p>}
      {checked && checked.steps.length > 0 && (
        <ul className={classes.steps}>
          {checked.steps.map(({ title, verdict, explanation }) => (
            <li key={title} data-verdict={verdict} title={explanation}>
              <span aria-hidden="true">{icons[verdict]}</span>
              <span className="visually-hidden">
                {verdict === 'pass' ? 'Holds: ' : verdict === 'fail' ? 'Fails: ' : 'Missing: '}
              </span>
              {title}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
