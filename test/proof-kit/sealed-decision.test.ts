import { createHash } from 'node:crypto';
import { canonicalJson } from '@countersign/proof-kit/canonical';
import type { PlainApproval, PlainEvent } from '@countersign/proof-kit/decision';
import { disclosureDigest, parseDisclosure, saltFrom } from '@countersign/proof-kit/disclosure';
import {
  approvalChallenge,
  completeApproval,
  decisionContent,
  eventDigest,
  sealApproval,
  sealEvent,
} from '@countersign/proof-kit/sealed-decision';
import { describe, expect, it } from 'vitest';

/** Predictable salts. */
function counted() {
  let n = 0;
  return { salt: () => saltFrom(new Uint8Array(16).fill(++n)) };
}

const event: PlainEvent = {
  id: 'evt_1',
  decisionId: 'refund-1',
  type: 'ai_recommendation',
  actor: { id: 'agent-7', type: 'ai_agent', name: 'Refund assistant' },
  action: { type: 'refund.grant', input: { amount: 4250, _sd: ['means nothing'] }, output: null as never },
  aiContext: { model: 'judge-3', confidence: 0.93 },
  tags: ['refund'],
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
const policy = { id: 'pol_1', version: 3, guards: [] };
const signature = {
  type: 'webauthn',
  credentialId: 'Yw',
  publicKey: 'cA',
  authenticatorData: 'YQ',
  clientDataJSON: 'Yw',
  signature: 'cw',
} as const;

it('events and approvals are built in canonical order', () => {
  for (const { sealed } of [sealEvent(event, counted()), sealApproval(approval, counted())]) {
    expect(JSON.stringify(sealed)).toBe(canonicalJson(sealed));
  }
});

describe('a sealed event', () => {
  const { sealed, disclosures } = sealEvent(event, counted());

  it('shows types and times, and sorted digests for the rest', () => {
    const digestsOf = (...paths: string[]) =>
      paths.map((path) => disclosureDigest(disclosures[path]!)).sort();
    expect(sealed).toEqual({
      id: 'evt_1',
      type: 'ai_recommendation',
      actor: { type: 'ai_agent', _sd: digestsOf('actor.id', 'actor.name') },
      action: { type: 'refund.grant', _sd: digestsOf('action.input') },
      aiContext: { _sd: digestsOf('aiContext.model', 'aiContext.confidence') },
      occurredAt: '2026-01-31T11:58:00.250Z',
      _sd: digestsOf('decisionId', 'tags'),
    });
  });

  it('has one disclosure per member, keyed by its path', () => {
    expect(Object.keys(disclosures).sort()).toEqual([
      'action.input',
      'actor.id',
      'actor.name',
      'aiContext.confidence',
      'aiContext.model',
      'decisionId',
      'tags',
    ]);
    expect(parseDisclosure(disclosures['action.input']!)).toMatchObject({
      name: 'input',
      value: { amount: 4250, _sd: ['means nothing'] },
    });
  });

  it('never uses a salt twice', () => {
    const salts = Object.values(disclosures).map((disclosure) => parseDisclosure(disclosure).salt);
    expect(new Set(salts).size).toBe(salts.length);
  });

  it('keeps an empty AI context', () => {
    expect(sealEvent({ ...event, aiContext: {} }, counted()).sealed.aiContext).toEqual({});
  });

  it('is the same with the native functions of a server', () => {
    const native = {
      ...counted(),
      encode: (text: string) => Buffer.from(text).toString('base64url'),
      digest: (text: string) => createHash('sha256').update(text).digest('base64url'),
    };
    expect(sealEvent(event, native)).toEqual({ sealed, disclosures });
  });

  it('has a digest of its canonical text', () => {
    const expected = createHash('sha256').update(canonicalJson(sealed)).digest('hex');
    expect(eventDigest(sealed)).toBe(expected);
  });
});

describe('a sealed approval', () => {
  it('has disclosure paths that start with approvals', () => {
    expect(Object.keys(sealApproval(approval, counted()).disclosures).sort()).toEqual([
      'approvals.approver.id',
      'approvals.approver.name',
      'approvals.by.id',
      'approvals.reason',
    ]);
  });

  it('by the system has no disclosures about itself', () => {
    const bySystem = sealApproval(
      {
        ...approval,
        approver: { id: 'countersign', type: 'system' },
        reason: undefined,
        by: { kind: 'system' },
      },
      counted(),
    );
    expect(bySystem.sealed.by).toEqual({ kind: 'system' });
    expect(bySystem.sealed).not.toHaveProperty('_sd');
  });

  it.each([approval, { ...approval, reason: undefined }])(
    'has the same challenge before and after signing, whatever signature and time',
    (plain) => {
      const tools = counted();
      const { approvedAt: _, ...draft } = plain;
      const prepared = sealApproval({ ...draft, by: { kind: 'passkey', id: 'a-1' } }, tools);
      const digest = eventDigest(sealEvent(event, tools).sealed);
      const challenge = approvalChallenge(prepared.sealed, digest);
      const expected = canonicalJson({ approval: prepared.sealed, eventDigest: digest });
      expect(Buffer.from(challenge)).toEqual(createHash('sha256').update(expected).digest());
      const given = completeApproval(prepared, { approvedAt: '2026-01-31T12:00:00.000Z', signature }, tools);
      const signatureDisclosure = given.disclosures['approvals.signature']!;
      expect(given.sealed._sd).toContain(disclosureDigest(signatureDisclosure));
      expect(given.sealed._sd).toEqual([...given.sealed._sd!].sort());
      expect(approvalChallenge(given.sealed, digest, signatureDisclosure)).toEqual(challenge);
      expect(
        approvalChallenge({ ...given.sealed, result: 'rejected' }, digest, signatureDisclosure),
      ).not.toEqual(challenge);
    },
  );
});

describe('the content of a decision', () => {
  const decision = { service: 'proof.example', center: { id: 12, domain: 'demo' }, policy };

  it('is canonical and contains kind, service and center', () => {
    const tools = counted();
    const parts = {
      event: sealEvent(event, tools).sealed,
      approvals: [sealApproval(approval, tools).sealed],
    };
    const content = decisionContent({ ...decision, ...parts });
    expect(content).toBe(canonicalJson(JSON.parse(content)));
    expect(JSON.parse(content)).toEqual({
      kind: 'decision',
      service: 'proof.example',
      center: { id: 12, domain: 'demo' },
      ...parts,
      policy,
      _sd_alg: 'sha-256',
    });
  });

  it('contains nothing that can be withheld', () => {
    const tools = counted();
    const parts = [sealEvent(event, tools), sealApproval(approval, tools)] as const;
    const content = decisionContent({ ...decision, event: parts[0].sealed, approvals: [parts[1].sealed] });
    for (const secret of ['refund-1', 'agent-7', '4250', 'judge-3', '0.93', 'Ada', 'Within', 'a-1'])
      expect(content).not.toContain(secret);
    expect(parts.flatMap(({ disclosures }) => Object.values(disclosures))).toHaveLength(11);
  });
});
