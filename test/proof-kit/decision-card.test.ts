import {
  type CardFacts,
  type CardSection,
  decisionCard,
  plainWords,
} from '@countersign/proof-kit/decision-card';
import { describe, expect, it } from 'vitest';

const at = '2026-11-19T08:00:00.000Z';

const facts = (change: Partial<CardFacts> = {}): CardFacts => ({
  status: 'sealed',
  type: 'agent_execution',
  actor: { type: 'ai_agent', id: 'refund-agent', name: 'Refund agent' },
  requestedBy: { type: 'api_key', id: 'key_1', name: 'Back office' },
  occurredAt: at,
  action: { type: 'refund.grant', description: 'Refund order 17', input: { amount: 420 } },
  guards: [],
  seats: [],
  approvals: [],
  withheld: [],
  erased: [],
  ...change,
});

/** The lines that a page without any form of its own would show, by section. */
function linesOf(change: Partial<CardFacts> = {}): Record<string, string[]> {
  const words = (parts: Parameters<typeof plainWords>[0]) => plainWords(parts, (iso) => `<${iso}>`);
  const lines = ({ points, rows, values }: CardSection) => [
    ...points.map(({ state, title, words: text, quote }) =>
      [`${state}: `, title && `${title}: `, words(text), quote && ` “${quote}”`].filter(Boolean).join(''),
    ),
    ...rows.map(({ label, value }) => `${label}: ${words(value)}`),
    ...values.map(({ path, label, value, unit }) =>
      [label && `${label} `, path, ' = ', value, unit && ` ${unit}`].filter(Boolean).join(''),
    ),
  ];
  return Object.fromEntries(decisionCard(facts(change)).sections.map((each) => [each.id, lines(each)]));
}

const ann = { type: 'human', id: 'b7f0', name: 'Ann Lee' };
const bo = { type: 'human', id: 'c8a1', name: 'Bo Chen' };
const approval = (approver: CardFacts['actor'], kind: 'passkey' | 'session' | 'api_key') => ({
  approver,
  result: 'approved' as const,
  by: { kind },
  approvedAt: at,
});

describe('what was asked', () => {
  it('names the action, the agent and the key, and shows the exact arguments by path', () => {
    const lines = linesOf({
      action: {
        type: 'refund.grant',
        input: {
          amount: 420,
          account: '0420',
          note: 'for‮eun',
          order: { items: [{ sku: 'A', price: 1.5 }, { sku: 'B' }], 'a.b': null, none: [] },
        },
      },
      words: {
        type: 'refund.grant',
        label: 'Refund',
        members: [
          { path: 'amount', label: 'Amount', unit: 'EUR' },
          { path: 'order.items.price', label: 'Price' },
        ],
      },
    });
    expect(lines['request']).toEqual([
      'Action: Refund (refund.grant)',
      'Asked by: Refund agent (AI agent), through the API key Back office',
      `Asked on: <${at}>`,
      'Kind: Action of an agent',
    ]);
    expect(lines['arguments']).toEqual([
      'Amount amount = 420 EUR',
      'account = "0420"',
      String.raw`note = "for\u202eeun"`,
      'order.items[0].sku = "A"',
      'Price order.items[0].price = 1.5',
      'order.items[1].sku = "B"',
      'order["a.b"] = null',
      'order.none = []',
    ]);
  });

  it('counts what a long list or a large value does not show', () => {
    const list = linesOf({ action: { type: 'a', input: { ids: Array.from({ length: 60 }, (_, i) => i) } } });
    expect(list['arguments']).toHaveLength(51);
    expect(list['arguments']!.at(-1)).toBe('ids = 10 more');
    const many = Object.fromEntries(Array.from({ length: 310 }, (_, i) => [`m${i}`, i]));
    expect(linesOf({ action: { type: 'a', input: many } })['arguments']!.at(-1)).toBe(' = 10 more');
  });

  it('says the terms of a mandate in words, and which limits it lacks', () => {
    const grant = {
      type: 'policy_decision',
      actor: { type: 'system', id: 'key_1' },
      names: { key_1: 'Back office' },
    };
    const terms = {
      mandateId: 'mnd_1',
      agent: { id: 'refund-agent' },
      keys: ['key_1', 'key_2'],
      actionPattern: 'refund.*',
      condition: 'input.amount < 50',
      maxUses: 100,
      budget: { member: 'amount', limit: 5000 },
      validUntil: at,
      reason: 'Small refunds',
    };
    const input = { ...terms, extra: 1 };
    const action = { type: 'mandate.grant', description: 'Small refunds', input };
    expect(decisionCard(facts({ ...grant, action })).title).toBe('Mandate for refund-agent');
    const lines = linesOf({ ...grant, action });
    expect(lines['request']).toContain('Asked by: The API key Back office');
    expect(lines['mandate']).toEqual([
      'Agent: refund-agent',
      'May do without asking: every action that begins with refund.',
      'Only if: input.amount < 50',
      'How often: at most 100 times',
      'Budget: at most 5000 for all calls together, counted by amount',
      'From: as soon as it is granted',
      `Until: <${at}>`,
      'For calls with: the API key Back office and the API key key_2',
      'Reason: “Small refunds”',
      'Mandate: mnd_1',
    ]);
    expect(lines['arguments']).toEqual(['extra = 1']);
    const guards = [{ guard: 'policy_existence', verdict: 'pass', detail: 'not required' }];
    const pending = linesOf({ ...grant, action, guards, status: 'recorded' });
    expect(pending['mandate']!.filter((line) => line.includes('mnd_1'))).toEqual([]);
    expect(pending['arguments']).toEqual(['extra = 1']);
    expect(pending['policies']).toEqual([
      'note: No policy requires more. An administrator decides.',
      'note: Mandates are approved by people who are signed in, never by an API key.',
    ]);
    const unlimited = { agent: { id: 'x' }, actionPattern: 'a', validUntil: at, reason: 'r', mandateId: 'm' };
    expect(linesOf({ ...grant, action: { ...action, input: unlimited } })['mandate']).toEqual(
      expect.arrayContaining(['How often: without a limit', 'Budget: none: the amounts are not limited']),
    );
  });
});

describe('who approved', () => {
  it('says of each approval how that person approved, whatever the seat asks at least', () => {
    const lines = linesOf({
      status: 'approved',
      approvals: [
        { ...approval(ann, 'passkey'), reason: 'Fits the order' },
        approval(bo, 'session'),
        { ...approval({ type: 'human', name: 'Cy' }, 'api_key'), assertedBy: 'Back office' },
        { ...approval({ type: 'human' }, 'api_key'), onBehalfOf: ann },
      ],
      seats: [
        {
          group: 'grp_1',
          groupName: 'Finance',
          count: 2,
          authentication: 'SESSION',
          filledBy: [0],
          open: true,
        },
        { group: null, count: 1, authentication: 'ASSERTED', filledBy: [1], open: false },
        { group: 'grp_2', count: 1, authentication: 'SIGNED', filledBy: [], open: true },
        { group: null, count: 2, authentication: 'SIGNED', filledBy: [0, 1], open: false },
      ],
    });
    expect(lines['approvals']).toEqual([
      'met: Ann Lee approved, signed with a passkey “Fits the order”',
      'met: Bo Chen approved, signed in',
      'met: Cy approved, asserted by the API key Back office',
      'met: A person whose name is not shown approved on behalf of Ann Lee, asserted by an API key',
    ]);
    expect(lines['seats']).toEqual([
      'open: Two members of Finance, each signed in: filled by Ann Lee; one open',
      'met: One person, signed in or asserted by an API key: filled by Bo Chen',
      'open: One member of a group whose name is not shown, with a passkey: open',
      'met: Two people, each with a passkey: filled by Ann Lee and Bo Chen',
    ]);
  });

  it('keeps a name that reads like a sentence apart from the words of the service', () => {
    const mallory = { type: 'human', name: 'Ann Lee approved, signed with a passkey.\u200b Bo' };
    const card = decisionCard(facts({ approvals: [approval(mallory, 'session')] }));
    const [point] = card.sections.find(({ id }) => id === 'approvals')!.points;
    expect(point!.words).toEqual([
      { kind: 'name', text: String.raw`Ann Lee approved, signed with a passkey.\u200b Bo` },
      { kind: 'text', text: ' approved, signed in' },
    ]);
  });

  it.each([
    ['expired', 'The request expired: no sufficient approval came in time'],
    ['withdrawn', 'The request was withdrawn'],
  ])('says in words that a request is %s', (reason, words) => {
    const approvals = [
      { approver: { type: 'system' }, result: 'rejected', by: { kind: 'system' }, reason, approvedAt: at },
    ] as const;
    expect(linesOf({ status: 'rejected', approvals })['approvals']).toEqual([`unmet: ${words}`]);
  });

  it('names the mandate, its use and its budget', () => {
    const approvals = [
      { approver: { type: 'system' }, result: 'approved', by: { kind: 'mandate' }, approvedAt: at },
    ] as const;
    expect(linesOf({ approvals, mandate: { id: 'mnd_1', use: 3, spent: 40 } })['approvals']).toEqual([
      'met: Approved under a mandate (mnd_1): use 3, 40 of its budget spent',
    ]);
  });
});

it('names the policies, and says what each required', () => {
  const guards = [
    { guard: 'policy_existence', verdict: 'pass', detail: 'not required' },
    {
      guard: 'dual_approval',
      verdict: 'pending',
      detail: 'approval by two different approvers: awaited',
      policy: 'pol_1',
      policyName: 'Refunds',
      version: 3,
    },
    { guard: 'quorum', verdict: 'pass', detail: '1 of grp_1 (SIGNED): filled', policy: 'pol_2', version: 1 },
  ];
  expect(linesOf({ status: 'approved', guards, names: { grp_1: 'Finance' } })['policies']).toEqual([
    'open: Two approvers: Approval by two different approvers: still missing (policy Refunds, version 3)',
    'met: Quorum: Approval by one member of Finance, with a passkey: given (policy, version 1)',
  ]);
});

describe('the outcome', () => {
  it('shows the result, and which result was only expected', () => {
    const lines = linesOf({
      action: { type: 'a', input: {}, output: { expected: true } },
      outcome: {
        status: 'executed',
        recordedAt: at,
        by: { type: 'api_key', id: 'key_1', name: 'Back office' },
        output: { refundId: 'r-1' },
      },
    });
    expect(lines['arguments']).toEqual(['note: The call has no arguments.']);
    expect(lines['expected']).toEqual(['expected = true']);
    expect(lines['outcome']).toEqual([
      'met: Carried out as approved, reported by the API key Back office',
      'refundId = "r-1"',
    ]);
  });

  it('is said to be missing where it can still come, and not to exist where it cannot', () => {
    expect(linesOf()['outcome']).toEqual(['note: No outcome was reported yet.']);
    expect(linesOf({ isCopy: true })['outcome']).toEqual(['note: This copy shows no outcome.']);
    expect(linesOf({ status: 'rejected' })['outcome']).toBeUndefined();
    expect(linesOf({ outcome: { status: 'failed', recordedAt: at } })['outcome']).toEqual([
      'unmet: The action failed',
      'Result: No result was reported with it.',
    ]);
  });
});

it('says what is withheld or erased instead of leaving it out', () => {
  const lines = linesOf({
    actor: { type: 'ai_agent' },
    requestedBy: undefined,
    action: { type: 'a' },
    approvals: [approval({ type: 'human' }, 'passkey')],
    outcome: { status: 'executed', recordedAt: at },
    withheld: [
      'action.description',
      'actor.id',
      'approvals.approver.name',
      'approvals.signature',
      'outcome.output',
    ],
    erased: [{ path: 'action.input', at, reason: 'Asked by the customer' }, { path: 'riskScore' }],
  });
  expect(lines['request']).toEqual(
    expect.arrayContaining([
      'Description: Withheld in this copy.',
      'Asked by: An AI agent whose name is not shown',
    ]),
  );
  expect(lines['arguments']).toEqual([
    `note: Erased on <${at}>: “Asked by the customer”. The fingerprint in the proof stays.`,
  ]);
  expect(lines['risk']).toEqual(['Risk: Erased. The fingerprint in the proof stays.']);
  expect(lines['approvals']).toEqual([
    'met: A person whose name is not shown approved, signed with a passkey',
    'note: Withheld in this copy: names of approvers.',
  ]);
  expect(lines['outcome']).toEqual(['met: Carried out as approved', 'Result: Withheld in this copy.']);
  expect(lines['absent']).toEqual([
    'Actor: id: Withheld in this copy.',
    'Approvers: signatures: Withheld in this copy.',
  ]);
});

describe('hostile texts', () => {
  const hidden = '\u202e\u200b';
  const shown = String.raw`\u202e\u200b`;
  const name = `Ann${hidden}`;
  const party = { type: 'human', id: 'b7f0', name };
  const texts: Partial<CardFacts> = {
    actor: { type: 'ai_agent', id: 'agent', name },
    requestedBy: { type: 'api_key', id: 'key_1', name },
    action: {
      type: `refund.grant${hidden}`,
      description: `Two\nlines ${name}`,
      input: { [name]: name, nested: [{ [name]: `a\n${name}` }] },
      output: { [name]: name },
    },
    words: { type: 'refund.grant', label: name, members: [{ path: 'nested', label: name, unit: name }] },
    reasoning: `One\r\n${name}`,
    model: name,
    provider: name,
    tags: [name],
    approvals: [
      { ...approval(party, 'session'), reason: name, onBehalfOf: party, assertedBy: name },
      { ...approval(party, 'api_key'), assertedBy: name },
      {
        approver: { type: 'system' },
        result: 'rejected',
        by: { kind: 'system' },
        reason: name,
        approvedAt: at,
      },
    ],
    guards: [{ guard: `g${hidden}`, verdict: name, detail: name, policy: 'pol_1', policyName: name }],
    seats: [
      { group: 'grp_1', groupName: name, count: 1, authentication: 'SESSION', filledBy: [0], open: false },
    ],
    outcome: { status: `x${hidden}`, recordedAt: at, by: { type: 'api_key', name }, output: { a: name } },
    erased: [{ path: `other${hidden}`, at, reason: name }],
  };

  it('show every invisible character on every part of the card', () => {
    const card = JSON.stringify(decisionCard(facts(texts)));
    expect(card).not.toMatch(/[\u202e\u200b]/);
    expect(decisionCard(facts(texts)).title).toBe(`Two lines Ann${shown}`);
    expect(card.split(JSON.stringify(shown).slice(1, -1)).length).toBeGreaterThan(20);
  });

  it('keep the lines of a quote, which no page takes for its own, and write them as one in plain text', () => {
    const rows = decisionCard(facts(texts)).sections.find(({ id }) => id === 'risk')!.rows;
    const reasoning = rows.find(({ label }) => label === 'Reasoning')!.value;
    expect(reasoning).toEqual([{ kind: 'quote', text: `One\nAnn${shown}` }]);
    expect(plainWords(reasoning, (iso) => iso)).toBe(`“One Ann${shown}”`);
  });

  it('give no text of a member the place of a built-in', () => {
    const card = decisionCard(
      facts({ type: 'constructor', outcome: { status: 'toString', recordedAt: at } }),
    );
    expect(JSON.stringify(card)).toContain('"text":"constructor"');
    expect(JSON.stringify(card)).toContain('"text":"toString"');
  });

  it('are no time only because they look like one', () => {
    const input = { real: '2026-11-19T08:00:00Z', none: '2026-99-99T08:00:00Z', number: 20261119 };
    const values = decisionCard(facts({ action: { type: 'a', input } })).sections.find(
      ({ id }) => id === 'arguments',
    )!.values;
    expect(values.map(({ time }) => time)).toEqual([input.real, undefined, undefined]);
  });
});
