import { graphql, type Json } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { actorKinds, decisionTypes, memberLabel, sentenceCase } from '../../text/labels.ts';
import type { Times } from '../../text/time.ts';
import { Panel } from '../../ui/panel.tsx';
import { Lines, Loaded } from '../../ui/states.tsx';
import { useTimes } from '../../ui/zone.tsx';
import classes from './six-w.module.css';

const Responsibility = graphql(`
  query Responsibility($id: ID!) { dpuResponsibility(id: $id) { who what when where why how } }
`);

const questions = ['who', 'what', 'when', 'where', 'why', 'how'] as const;

/** The six questions that the responsible person must be able to answer. */
export function SixW({ dpuId }: { dpuId: string }) {
  const read = useRead(Responsibility, { id: dpuId });
  const times = useTimes();
  return (
    <Panel title="Who, what, when, where, why, how">
      <Loaded of={read} skeleton={<Lines count={4} />} small>
        {({ dpuResponsibility }) => (
          <dl className={classes.grid}>
            {questions.map((key) => (
              <div key={key}>
                <dt>{sentenceCase(key)}</dt>
                <dd>
                  {linesOf(dpuResponsibility[key], times).map(([name, value]) => (
                    <p key={`${name} ${value}`}>
                      <span>{name}</span> {value}
                    </p>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Loaded>
    </Panel>
  );
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Members that the page shows elsewhere, and ids. */
const ELSEWHERE = new Set(['guards', 'eventId', 'decisionId', 'policyId', 'centerId', 'agent', 'service']);

const names: Record<string, string> = {
  occurredAt: 'Decided',
  approvedAt: 'Approved',
  sealedAt: 'Sealed',
  centerDomain: 'Center',
  chainIndex: 'Record of the proof chain',
  policyVersion: 'Policy version',
  reasons: 'Reason',
  approvedBy: 'Approved',
  approvers: 'Approver',
  type: 'Action',
};

const ways: Record<string, string> = {
  passkey: 'signed with a passkey',
  session: 'signed in',
  api_key: 'as reported by an API key',
  system: 'by the service, as the policy allows',
  mandate: 'under a mandate',
};

/** The members of an answer as short lines; nested objects are flattened. */
function linesOf(value: Json, times: Times, name = ''): [string, string][] {
  if (value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => linesOf(item, times, name));
  if (typeof value === 'object') {
    const { id, type, name: called, ...rest } = value;
    // A person, agent or system is one line.
    if (name && typeof id === 'string' && typeof type === 'string')
      return [[name, `${String(called ?? id)} (${actorKinds[type] ?? type})`], ...linesOf(rest, times)];
    const members = Object.entries(value).filter(
      ([member]) => !ELSEWHERE.has(member) && !member.startsWith('@'),
    );
    return members.flatMap(([member, given]) => linesOf(given, times, names[member] ?? memberLabel(member)));
  }
  return [[name, wordsOf(value, times)]];
}

function wordsOf(value: string | number | boolean, times: Times): string {
  if (typeof value !== 'string') return String(value);
  return ISO.test(value) ? times.exactly(value) : (ways[value] ?? decisionTypes[value] ?? value);
}
