import type { Difference } from '@countersign/auditor/verify/report';
import { at, chain, ids, type verdict } from './attacked-center.ts';

const event = (name: string, member: string | null): Difference => ({
  table: 'decision_event',
  id: ids[name]!,
  chain: 'journal',
  index: at[name]!,
  member,
});
const approval = (name: string, member: string | null, on: 'proof' | 'journal' = 'journal'): Difference => ({
  table: 'approval',
  id: ids[name]!,
  chain: on,
  index: on === 'proof' ? at[`${name.replace(/^approval \d of /, '')} on proof`]! : at[name]!,
  member,
});
const sealedDpu = (name: string, member: string | null): Difference => ({
  table: 'dpu',
  id: ids[`dpu of ${name}`]!,
  chain: 'proof',
  index: at[`${name} on proof`]!,
  member,
});
const version = (name: string, member: string | null): Difference => ({
  table: 'policy_version',
  id: ids['policy']!,
  chain: 'journal',
  index: at[name]!,
  member,
});
const entry = (member: string | null): Difference => ({
  table: 'audit_entry',
  id: ids['entry']!,
  chain: 'audit',
  index: 1,
  member,
});
const record = (n: number, member: string | null): Difference => ({
  table: 'dpu',
  id: ids[`record ${n}`]!,
  chain: member === null || member === 'content' ? 'platform' : 'journal',
  index: member === null || member === 'content' ? n : at[`record ${n}`]!,
  member,
});

export const edit = (table: string, name: string, change: string) => () =>
  `UPDATE ${table} SET ${change} WHERE id = '${ids[name]}'`;
const remove = (table: string, name: string) => () => `DELETE FROM ${table} WHERE id = '${ids[name]}'`;
export const onChain = (domain: string, sql: string) => () => sql.replaceAll('$chain', String(chain[domain]));
const rewrite = (domain: string, index: number, change: string) =>
  onChain(domain, `UPDATE ledger_record SET ${change} WHERE chain_id = $chain AND index = ${index}`);

type Attack = [name: string, sql: () => string, expected: () => Partial<Awaited<ReturnType<typeof verdict>>>];
const differs =
  (...differences: (() => Difference)[]) =>
  () => ({
    differences: differences.map((each) => each()),
  });
const breaks = (first: number | (() => number)) => () => ({
  first: typeof first === 'number' ? first : first(),
});

/** Changes a member of a document. */
const set = (path: string, value: string) => `content = jsonb_set(content, '{${path}}', '${value}')`;
const setLarge = (path: string, value: string) => `large = (large::jsonb || '{"${path}": ${value}}')::json`;

/** Each kind of member of a sealed decision, by how it is stored. */
const members: [change: string, member: string][] = [
  [set('decisionId', '"dec_other"'), 'decisionId'],
  [set('type', '"custom"'), 'type'],
  [set('actor,id', '"other"'), 'actor.id'],
  [set('actor,type', '"human"'), 'actor.type'],
  [`content = content #- '{actor,name}'`, 'actor.name'],
  [set('action,type', '"refund.deny"'), 'action.type'],
  [set('action,description', '"Something else"'), 'action.description'],
  [setLarge('action.input', '{"orderId":"A-18","amount":49.9}'), 'action.input'],
  [setLarge('action.output', '{"granted":false}'), 'action.output'],
  [set('aiContext,model', '"m-2"'), 'aiContext.model'],
  [set('riskScore', '0.1'), 'riskScore'],
  [set('tags', '["refund"]'), 'tags'],
  [`evidence_id = 'evd_other'`, 'evidence.id'],
  [`status = 'recorded'`, 'status'],
  [`content_hash = repeat('0', 64)`, 'contentHash'],
  [`expires_at = now()`, 'expiresAt'],
];

/** Everything as first recorded, including the entry it names. */
export const putBack = () =>
  edit(
    'dpu',
    'record 2',
    `evidence_level = 'DRAFT', sealed_at = NULL, journal_index = ${at['creation of record 2']}`,
  )();
const fallenBack = [() => record(2, 'journalIndex'), () => record(2, 'evidenceLevel')];

export const attacks: Attack[] = [
  ['changed content', rewrite('platform', 2, `content = 'other'`), breaks(2)],
  [
    'content emptied without erasure',
    rewrite('platform', 2, `content = ''`),
    differs(() => record(2, 'content')),
  ],
  ['content that is not JSON', rewrite('proof', 0, `content = '{'`), breaks(0)],
  ['changed hash', rewrite('proof', 1, `hash = repeat('e', 64)`), breaks(1)],
  ['changed timestamp', rewrite('audit', 1, `timestamp = '2001-01-01T00:00:00.000Z'`), breaks(1)],
  ['changed journal entry', rewrite('journal', 3, `content = replace(content, 'evt_', 'evx_')`), breaks(3)],
  [
    'a deleted record',
    onChain('journal', 'DELETE FROM ledger_record WHERE chain_id = $chain AND index = 2'),
    breaks(2),
  ],
  [
    'two records swapped',
    onChain(
      'platform',
      `UPDATE ledger_record r SET content = o.content, timestamp = o.timestamp, hash = o.hash FROM ledger_record o
       WHERE r.chain_id = $chain AND o.chain_id = $chain AND r.index IN (1, 2) AND o.index IN (1, 2) AND o.index <> r.index`,
    ),
    breaks(1),
  ],
  [
    'a cut tail, with an adjusted head',
    onChain(
      'proof',
      `DELETE FROM ledger_record WHERE chain_id = $chain AND index >= 1;
       DELETE FROM dpu WHERE chain_id = $chain AND index >= 1;
       UPDATE ledger_chain SET size = 1, head_hash = (SELECT hash FROM ledger_record WHERE chain_id = $chain AND index = 0)
       WHERE id = $chain`,
    ),
    breaks(1),
  ],
  [
    'a record inserted after the head',
    onChain(
      'journal',
      `INSERT INTO ledger_record (chain_id, index, content, previous_hash, hash, timestamp)
       SELECT chain_id, index + 1, content, hash, encode(sha256(convert_to(content || hash || timestamp, 'UTF8')), 'hex'), timestamp
       FROM ledger_record WHERE chain_id = $chain ORDER BY index DESC LIMIT 1`,
    ),
    breaks(() => at['end of journal']!),
  ],
  [
    'a head with a smaller size',
    onChain('audit', 'UPDATE ledger_chain SET size = size - 1 WHERE id = $chain'),
    () => ({ first: at['end of audit']! - 1 }),
  ],
  ['a missing head', onChain('proof', 'DELETE FROM ledger_chain WHERE id = $chain'), breaks(0)],
  ['a missing journal head', onChain('journal', 'DELETE FROM ledger_chain WHERE id = $chain'), breaks(0)],
  [
    'a whole chain deleted, with everything on it',
    onChain(
      'platform',
      `DELETE FROM dpu WHERE chain_id = $chain; DELETE FROM ledger_record WHERE chain_id = $chain;
       DELETE FROM checkpoint WHERE chain_id = $chain; DELETE FROM ledger_chain WHERE id = $chain`,
    ),
    breaks(0),
  ],
  ['a missing checkpoint', onChain('proof', 'DELETE FROM checkpoint WHERE chain_id = $chain'), breaks(0)],
  [
    'a forged checkpoint',
    onChain('audit', `UPDATE checkpoint SET root_hash = repeat('0', 64) WHERE chain_id = $chain`),
    () => ({ first: at['end of audit']! - 1 }),
  ],
  ['an invalid key history', () => `UPDATE signing_key_line SET line = 'nonsense'`, breaks(0)],
  ...members.map(
    ([change, member]): Attack => [
      `${member} of a sealed decision`,
      edit('decision_event', 'sealed', change),
      differs(() =>
        member === 'status'
          ? { ...event('sealed', member), chain: 'proof', index: at['sealed on proof']! }
          : event('sealed', member),
      ),
    ],
  ),
  ['a pending decision, deleted', remove('decision_event', 'waiting'), differs(() => event('waiting', null))],
  [
    'a pending decision, edited',
    edit('decision_event', 'waiting', set('action,description', '"x"')),
    differs(() => event('waiting', 'event')),
  ],
  [
    'a member removed from a pending decision',
    edit('decision_event', 'waiting', `content = content #- '{actor,name}'`),
    differs(() => event('waiting', 'actor.name')),
  ],
  [
    'public members of decisions that were never sealed, changed',
    () =>
      [
        edit('decision_event', 'waiting', set('type', '"custom"'))(),
        edit('decision_event', 'rejected', set('actor,type', '"human"'))(),
        edit('decision_event', 'halfway', set('occurredAt', '"2026-01-01T00:00:00.000Z"'))(),
        edit('decision_event', 'expired', `created_at = created_at - interval '1 day'`)(),
      ].join(';'),
    differs(
      () => event('waiting', 'type'),
      () => event('rejected', 'actor.type'),
      () => event('halfway', 'occurredAt'),
      () => event('expired', 'createdAt'),
    ),
  ],
  [
    'rows detached from their journal entries to hide other edits',
    () =>
      [
        edit('decision_event', 'waiting', `journal_index = 0, content = content #- '{actor,name}'`)(),
        edit('approval', 'approval 0 of rejected', `journal_index = 0, ${set('by,kind', '"session"')}`)(),
        edit('decision_event', 'expired', 'center_id = center_id + 1000')(),
      ].join(';'),
    differs(
      () => event('waiting', 'journalIndex'),
      () => event('expired', 'centerId'),
      () => approval('approval 0 of rejected', 'journalIndex'),
      () => event('waiting', 'actor.name'),
      () => approval('approval 0 of rejected', 'by.kind'),
    ),
  ],
  [
    'a rejected decision, deleted',
    remove('decision_event', 'rejected'),
    differs(() => event('rejected', null)),
  ],
  [
    'a rejected decision, edited',
    edit('decision_event', 'rejected', set('tags', '[]')),
    differs(() => event('rejected', 'event')),
  ],
  [
    'a rejected decision, removed from the list of its tag',
    () => `DELETE FROM decision_event_tag WHERE event_id = '${ids['rejected']}'`,
    differs(() => event('rejected', 'tags')),
  ],
  [
    'a rejected decision, set back to pending',
    edit('decision_event', 'rejected', `status = 'recorded'`),
    differs(() => event('rejected', 'status')),
  ],
  [
    'an expired decision, deleted',
    remove('decision_event', 'expired'),
    differs(() => event('expired', null)),
  ],
  [
    'a decision that was never recorded',
    () =>
      `INSERT INTO decision_event (id, center_id, evidence_id, dpu_id, content, salts, content_hash, journal_index)
       SELECT 'evt_invented', center_id, 'evd_i', 'dpu_i', content, salts, content_hash, journal_index
       FROM decision_event WHERE id = '${ids['waiting']}'`,
    () => ({
      differences: [
        { table: 'decision_event', id: 'evt_invented', chain: 'journal', index: null, member: null },
      ],
    }),
  ],
  [
    'the reason of an approval, changed',
    edit('approval', 'approval 0 of sealed', set('reason', '"Other"')),
    differs(() => approval('approval 0 of sealed', 'reason', 'proof')),
  ],
  [
    'the approver, changed',
    edit('approval', 'approval 1 of twice', set('approver,id', '"other"')),
    differs(() => approval('approval 1 of twice', 'approver.id', 'proof')),
  ],
  [
    'the authentication of an approver, changed',
    edit('approval', 'approval 0 of rejected', set('by,kind', '"session"')),
    differs(() => approval('approval 0 of rejected', 'by.kind')),
  ],
  [
    'an approval, deleted',
    remove('approval', 'approval 0 of sealed'),
    differs(() => approval('approval 0 of sealed', null, 'proof')),
  ],
  [
    'a rejection, deleted',
    remove('approval', 'approval 0 of rejected'),
    differs(() => approval('approval 0 of rejected', null)),
  ],
  [
    'the first of two approvals, deleted',
    remove('approval', 'approval 0 of halfway'),
    differs(() => approval('approval 0 of halfway', null)),
  ],
  [
    'an approval and an outcome moved to another center',
    () =>
      [
        edit('approval', 'approval 0 of sealed', 'center_id = center_id + 1000')(),
        edit('approval', 'approval 0 of rejected', 'center_id = center_id + 1000')(),
        `UPDATE outcome SET center_id = center_id + 1000 WHERE event_id = '${ids['sealed']}'`,
      ].join(';'),
    differs(
      () => approval('approval 0 of sealed', 'centerId', 'proof'),
      () => ({ ...event('sealed', 'outcome'), index: at['outcome of sealed']! }),
      () => approval('approval 0 of rejected', 'centerId'),
    ),
  ],
  [
    'erasure marks without an erasure',
    () =>
      [
        `UPDATE outcome SET erased = '{"x": {"at": "2026-01-01T00:00:00.000Z"}}' WHERE event_id = '${ids['sealed']}'`,
        edit('dpu', 'dpu of twice', 'erased_at = now()')(),
        edit('dpu', 'record 0', `erased_reason = 'lost'`)(),
      ].join(';'),
    differs(
      () => ({ ...record(0, 'content'), member: 'erasedReason' }),
      () => ({ ...event('sealed', 'outcome'), index: at['outcome of sealed']! }),
      () => sealedDpu('twice', 'erasedAt'),
    ),
  ],
  [
    'an outcome, edited',
    () => `UPDATE outcome SET large = '{"outcome.output": {"paid":2}}' WHERE event_id = '${ids['sealed']}'`,
    differs(() => ({ ...event('sealed', 'outcome'), index: at['outcome of sealed']! })),
  ],
  [
    'an outcome, deleted',
    () => `DELETE FROM outcome WHERE event_id = '${ids['sealed']}'`,
    differs(() => ({ ...event('sealed', 'outcome'), index: at['outcome of sealed']! })),
  ],
  [
    'a policy version, edited',
    () => `UPDATE policy_version SET guards = '{}' WHERE policy_id = '${ids['policy']}' AND version = 1`,
    differs(() => version('version 1', 'guards')),
  ],
  [
    'a policy version, deleted',
    () => `DELETE FROM policy_version WHERE policy_id = '${ids['policy']}' AND version = 1`,
    differs(() => version('version 1', null)),
  ],
  [
    'the policy in force, edited',
    edit('policy', 'policy', `guards = '{}'`),
    differs(() => version('version 2', 'guards')),
  ],
  [
    'the baseline policy, edited',
    () => `UPDATE policy SET guards = '{"riskThreshold": 1}' WHERE id = 'pol_baseline'`,
    () => ({
      differences: [
        { table: 'policy_version', id: 'pol_baseline', chain: '0/journal', index: 0, member: 'guards' },
      ],
    }),
  ],
  [
    'the evidence level of a record, changed',
    edit('dpu', 'record 1', `evidence_level = 'AUDIT_READY'`),
    differs(() => record(1, 'evidenceLevel')),
  ],
  [
    'the metadata of a raised record, changed',
    edit('dpu', 'record 2', `metadata = '{}'`),
    differs(() => record(2, 'metadata')),
  ],
  ['a record reset to its state before it was raised', () => putBack(), differs(...fallenBack)],
  ['the row of a record, deleted', remove('dpu', 'record 3'), differs(() => record(3, null))],
  [
    'the actor who sealed a decision, changed',
    edit('dpu', 'dpu of sealed', `actor_id = 'nobody'`),
    differs(() => sealedDpu('sealed', 'actorId')),
  ],
  [
    'the row of a sealed decision, deleted',
    remove('dpu', 'dpu of sealed'),
    differs(() => sealedDpu('sealed', null)),
  ],
  [
    'an audit entry, edited',
    edit('audit_entry', 'entry', `actor_email = 'other@example.test'`),
    differs(() => entry('actorEmail')),
  ],
  ['an audit entry, deleted', remove('audit_entry', 'entry'), differs(() => entry(null))],
];
