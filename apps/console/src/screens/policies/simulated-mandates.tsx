import { printable } from '@countersign/proof-kit/printable';
import { JsonInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { graphql, isObject } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useCenter } from '../../session/session-context.ts';
import { Point, PointList } from '../../ui/decision-card/points.tsx';
import { parsedJson } from '../../ui/json.tsx';
import { TextLink } from '../../ui/link.tsx';
import classes from './simulator.module.css';

const Mandates = graphql(`
  query SimulateMandates($input: SimulatePolicyInput!) {
    simulatePolicy(input: $input) { mandates { mandateId agent approves reason } }
  }
`);

interface SimulatedMandatesProps {
  actionType: string;
  riskScore: number | undefined;
}

/** What the active mandates would do with an agent's call. Their conditions depend on its input. */
export function SimulatedMandates({ actionType, riskScore }: SimulatedMandatesProps) {
  const { centerDomain: center } = useCenter();
  const [example, setExample] = useState('');
  const [text] = useDebouncedValue(example.trim(), 300);
  const value = text === '' ? undefined : parsedJson(text);
  const isWrong = value !== undefined && !isObject(value);
  const call = { actionType, actorType: 'ai_agent' as const, riskScore };
  const { data } = useRead(
    Mandates,
    { input: { ...call, ...(isObject(value) && { input: value }) } },
    { pause: isWrong },
  );
  const mandates = data?.simulatePolicy.mandates ?? [];
  if (mandates.length === 0) return null;
  return (
    <section aria-label="Mandates" className={classes.section}>
      <h3>Mandates</h3>
      <PointList>
        {mandates.map(({ mandateId, agent, approves, reason }) => (
          <Point key={mandateId} state={approves ? 'met' : 'unmet'}>
            <TextLink to="/c/$center/mandates/$id" params={{ center, id: mandateId }}>
              Mandate of {printable(agent)}
            </TextLink>
            <span data-detail>{reason}</span>
          </Point>
        ))}
      </PointList>
      <JsonInput
        mt={12}
        label="Input of the call"
        description="A JSON object, for the conditions and budgets of mandates."
        placeholder='{ "amount": 10 }'
        autosize
        minRows={1}
        value={example}
        onChange={setExample}
        error={isWrong && 'Enter a JSON object.'}
        classNames={{ input: 'mono' }}
      />
    </section>
  );
}
