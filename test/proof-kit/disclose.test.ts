import { canonicalJson } from '@countersign/proof-kit/canonical';
import type { PlainApproval, PlainEvent } from '@countersign/proof-kit/decision';
import { DISCLOSABLE_PATHS, GUARDS } from '@countersign/proof-kit/decision';
import { disclose } from '@countersign/proof-kit/disclose';
import {
  disclosureDigest as digestOf,
  makeDisclosure,
  parseDisclosure,
  saltFrom,
} from '@countersign/proof-kit/disclosure';
import { Refutation, withheldNames } from '@countersign/proof-kit/sealed-content';
import { decisionContent, sealApproval, sealEvent } from '@countersign/proof-kit/sealed-decision';
import { describe, expect, it } from 'vitest';

const event: PlainEvent = {
  id: 'evt_1',
  decisionId: 'refund-1',
  type: 'ai_recommendation',
  actor: { id: 'agent-7', type: 'ai_agent', name: 'Refund assistant' },
  action: { type: 'refund.grant', input: { amount: 4250, _sd: ['means nothing'], '...': 1 } },
  aiContext: { model: 'judge-3', confidence: 0.93 },
  tags: ['refund'],
  riskScore: 0.3,
  occurredAt: '2026-01-31T11:58:00.250Z',
};
const approval: PlainApproval = {
  id: 'apr_1',
  approver: { id: 'a-1', type: 'human', name: 'Ada' },
  result: 'approved',
  reason: 'Within policy.',
  by: { kind: 'session', id: 'a-1' },
  approvedAt: '2026-01-31T11:59:00.000Z',
};
const guards = GUARDS.map((guard) => ({ guard, verdict: 'pass', detail: 'not required' }));

function stage() {
  let n = 0;
  const tools = { salt: () => saltFrom(new Uint8Array(16).fill(++n)) };
  const ofEvent = sealEvent(event, tools);
  const ofApproval = sealApproval(approval, tools);
  const content = decisionContent({
    service: 'proof.example',
    center: { id: 12, domain: 'demo' },
    event: ofEvent.sealed,
    approvals: [ofApproval.sealed],
    policy: { id: 'pol_1', version: 3, guards },
  });
  const byPath = { ...ofEvent.disclosures, ...ofApproval.disclosures };
  const without = (...paths: string[]) =>
    Object.entries(byPath)
      .filter(([path]) => !paths.includes(path))
      .map(([, text]) => text);
  return { content, byPath, without };
}

describe('a decision with all its disclosures', () => {
  it('returns the sealed members', () => {
    const { content, without } = stage();
    const read = disclose(content, without());
    expect(read.event).toEqual(event);
    expect(read.approvals).toEqual([approval]);
    expect(read.withheld).toEqual([]);
  });

  it('accepts them in any order', () => {
    const { content, without } = stage();
    expect(disclose(content, without().reverse())).toEqual(disclose(content, without()));
  });
});

describe('a decision with some of its disclosures', () => {
  it.each([
    [['action.input'], ['1 of action.description and action.input and action.output']],
    [['actor.name'], ['actor.name']],
    [['actor.id'], ['actor.id']],
    [
      ['decisionId', 'tags'],
      ['decisionId', 'tags'],
    ],
    [
      ['decisionId', 'riskScore', 'tags'],
      ['decisionId', 'tags', 'riskScore'],
    ],
    [['aiContext.model'], ['1 of aiContext.model and aiContext.provider and aiContext.reasoning']],
    [
      ['approvals.reason', 'approvals.by.id'],
      ['approvals.reason', 'approvals.by.id'],
    ],
  ])('lists withheld members: %j', (paths, names) => {
    const { content, without } = stage();
    const read = disclose(content, without(...paths));
    expect(withheldNames(read.withheld)).toEqual(names);
  });

  it('contains no withheld value', () => {
    const { content } = stage();
    const read = disclose(content, []);
    expect(read.event).toEqual({
      id: 'evt_1',
      type: 'ai_recommendation',
      actor: { type: 'ai_agent' },
      action: { type: 'refund.grant' },
      aiContext: {},
      occurredAt: event.occurredAt,
    });
    expect(read.approvals).toEqual([
      {
        id: 'apr_1',
        approver: { type: 'human' },
        result: 'approved',
        approvedAt: approval.approvedAt,
        by: { kind: 'session' },
      },
    ]);
  });
});

describe('mismatches are refuted', () => {
  const refutes = (content: string, disclosures: string[], words: string) => {
    expect(() => disclose(content, disclosures)).toThrow(Refutation);
    expect(() => disclose(content, disclosures)).toThrow(words);
  };
  const salt = saltFrom(new Uint8Array(16).fill(200));
  /** The content with a digest of the given disclosure where another was. */
  const exchanged = (path: string, disclosure: string) => {
    const { content, byPath, without } = stage();
    const sealed = JSON.parse(content);
    const swap = (list: string[]) =>
      list.map((each) => (each === digestOf(byPath[path]!) ? digestOf(disclosure) : each)).sort();
    const walk = (value: Record<string, unknown>) => {
      for (const [name, member] of Object.entries(value)) {
        if (name === '_sd') value[name] = swap(member as string[]);
        else if (typeof member === 'object' && member !== null) walk(member as Record<string, unknown>);
      }
    };
    walk(sealed);
    return { content: canonicalJson(sealed), disclosures: [...without(path), disclosure] };
  };

  it('a changed value, whose digest does not match', () => {
    const { content, byPath, without } = stage();
    const { salt: same } = parseDisclosure(byPath['actor.name']!);
    const forged = makeDisclosure(same, 'name', 'Somebody else');
    refutes(content, [...without('actor.name'), forged], 'belongs to nothing that was sealed');
  });

  it('a duplicate disclosure', () => {
    const { content, without, byPath } = stage();
    refutes(content, [...without(), byPath['actor.id']!], 'is there twice');
  });

  it('invalid disclosures', () => {
    const { content, without } = stage();
    refutes(content, [...without(), 'hello'], 'is no disclosure');
  });

  it('an unknown member', () => {
    const { content, disclosures } = exchanged('actor.name', makeDisclosure(salt, 'title', 'Director'));
    refutes(content, disclosures, 'discloses actor.title, which is unknown');
  });

  it('two values for one member', () => {
    const { content, disclosures } = exchanged('actor.name', makeDisclosure(salt, 'id', 'somebody-else'));
    refutes(content, disclosures, 'actor.id is disclosed twice');
  });

  it('a member of the wrong type', () => {
    const { content, disclosures } = exchanged('actor.name', makeDisclosure(salt, 'name', { first: 'x' }));
    refutes(content, disclosures, 'actor.name is not text');
  });

  it('a member in the wrong object', () => {
    const { content, disclosures } = exchanged('actor.name', makeDisclosure(salt, 'reason', 'x'));
    refutes(content, disclosures, 'discloses actor.reason, which is unknown');
  });

  it.each([
    ['an unknown member', (c: Content) => ({ ...c, extra: 1 }), 'extra is unknown'],
    ['a missing member', ({ policy: _, ...c }: Content) => c, 'policy is missing'],
    ['another kind', (c: Content) => ({ ...c, kind: 'outcome' }), 'kind is not decision'],
    ['no approval', (c: Content) => ({ ...c, approvals: [] }), 'approvals has fewer entries than 1'],
    ['a rejection', (c: Content) => withApproval(c, { result: 'rejected' }), 'result is not approved'],
    ['another digest algorithm', (c: Content) => ({ ...c, _sd_alg: 'sha-512' }), '_sd_alg is not sha-256'],
    ['no actor', (c: Content) => withEvent(c, { actor: { type: 'human' } }), 'actor.id was not sealed'],
    [
      'a session without a person',
      (c: Content) => withApproval(c, { by: { kind: 'session' } }),
      'approvals.by.id was not sealed',
    ],
    [
      'a passkey without signature',
      (c: Content) => withApproval(c, { _sd: undefined, by: { ...c.approvals[0]!.by, kind: 'passkey' } }),
      'approvals.signature was not sealed',
    ],
    [
      'digests out of order',
      (c: Content) => withEvent(c, { _sd: [...c.event._sd].reverse() }),
      '_sd is not sorted',
    ],
    [
      'a duplicate digest',
      (c: Content) => withEvent(c, { action: { type: 'x', _sd: c.event._sd } }),
      'a digest stands in the sealed content twice',
    ],
    ['an empty list of digests', (c: Content) => withEvent(c, { _sd: [] }), '_sd has fewer entries than 1'],
  ])('content with %s', (_, change, words) => {
    const { content } = stage();
    refutes(canonicalJson(change(JSON.parse(content)) as object), [], words);
  });

  it('content that is not canonical or not JSON', () => {
    const { content } = stage();
    refutes(` ${content}`, [], 'is not canonical JSON');
    refutes(content.slice(1), [], 'is not JSON');
    refutes('Approved by everybody.', [], 'is not JSON');
    refutes(
      content.replace('"kind":"decision"', '"kind":"decision","kind":"decision"'),
      [],
      'is there twice',
    );
  });
});

interface Content {
  [name: string]: unknown;
  event: { [name: string]: unknown; _sd: string[] };
  approvals: { [name: string]: unknown; by: object }[];
}
const withEvent = (c: Content, change: object) => ({ ...c, event: { ...c.event, ...change } });
const withApproval = (c: Content, change: object) => ({
  ...c,
  approvals: [{ ...c.approvals[0], ...change }],
});

it('DISCLOSABLE_PATHS lists every path that can be disclosed', () => {
  expect([...DISCLOSABLE_PATHS].sort()).toEqual(
    [
      'decisionId',
      'tags',
      'riskScore',
      'actor.id',
      'actor.name',
      'action.description',
      'action.input',
      'action.output',
      'aiContext.model',
      'aiContext.provider',
      'aiContext.confidence',
      'aiContext.reasoning',
      'approvals.approver.id',
      'approvals.approver.name',
      'approvals.reason',
      'approvals.by.id',
      'approvals.by.identity',
      'approvals.onBehalfOf',
      'approvals.signature',
    ].sort(),
  );
});
