import { Button, Collapse, JsonInput, NumberInput, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { objectIn, TryMandate } from './drafting.ts';
import classes from './try-mandate.module.css';

type Input = VariablesOf<typeof TryMandate>['input'];

interface TryMandateProps {
  /** The terms at the moment; null while they cannot be evaluated. */
  terms: Pick<Input, 'actionPattern' | 'condition' | 'budget'> | null;
}

/** Evaluates the terms for an example of a call. The service does it, as for a real call. */
export function TryOut({ terms }: TryMandateProps) {
  const [opened, { toggle }] = useDisclosure();
  const [example, setExample] = useState('{ "amount": 10 }');
  const [risk, setRisk] = useState<number | string>('');
  const attempt = useAction(TryMandate, { as: 'query', quiet: true });
  const [result, setResult] = useState<{ approves: boolean; reason: string } | null>(null);
  const input = objectIn(example);
  const run = async () => {
    if (!terms || input === null) return;
    const call = { ...(input && { input }), ...(risk !== '' && { riskScore: Number(risk) / 100 }) };
    const answer = await attempt.run({ input: { ...terms, ...call } });
    setResult(answer?.tryMandate ?? null);
  };
  const change =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      setResult(null);
    };
  return (
    <div>
      <Button variant="subtle" size="compact-sm" onClick={toggle} aria-expanded={opened}>
        Try it on an example
      </Button>
      <Collapse expanded={opened}>
        <Stack className={classes.trial!}>
          <JsonInput
            label="Input of the call"
            description="A JSON object, as the agent would send it."
            autosize
            minRows={2}
            value={example}
            onChange={change(setExample)}
            error={input === null && 'Enter a JSON object.'}
            classNames={{ input: 'mono' }}
          />
          <NumberInput
            label="Risk of the call"
            description="Left empty, the agent gives none."
            suffix=" %"
            min={0}
            max={100}
            value={risk}
            onChange={change(setRisk)}
          />
          <FailureNote failure={attempt.failure} />
          {result && (
            <p className={classes.result} role="status" data-approves={result.approves}>
              {result.approves ? result.reason : `The mandate would not approve the call. ${result.reason}`}
            </p>
          )}
          <div>
            <Button
              variant="default"
              loading={attempt.busy}
              disabled={!terms || input === null}
              onClick={() => void run()}
            >
              Try it
            </Button>
          </div>
        </Stack>
      </Collapse>
    </div>
  );
}
