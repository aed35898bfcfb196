/**
 * New documents with every part: policies and quorums on the journal, registrations of passkeys, erasures, outcomes,
 * rejections and mandates, with known keys.
 */
import { createHash } from 'node:crypto';
import { canonicalJson } from '@countersign/proof-kit/canonical';
import { disclosureDigest } from '@countersign/proof-kit/disclosure';
import { noteKeyId } from '@countersign/proof-kit/vkey';
import { serviceSigners } from '../../scripts/vectors/genuine.ts';
import { p256Passkey } from '../../scripts/vectors/signers.ts';
import type { Tree } from './expand.ts';
import { buildLog, followHash, showAgain, signApprovals } from './seal.ts';

const SERVICE = 'proof.example';
const URL_START = `https://${SERVICE}`;
const CENTER = 12;
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 31, 11, minute)).toISOString();
const text64 = (value: string | Uint8Array): string => Buffer.from(value).toString('base64url');
const sha256 = (value: string | Uint8Array): Buffer => createHash('sha256').update(value).digest();
const nameIn = (disclosure: string): string => JSON.parse(Buffer.from(disclosure, 'base64url').toString())[1];

/** Collects the disclosures of one record while its content is written. */
class Sealer {
  readonly disclosures: string[] = [];

  sealed(members: Tree): { _sd?: string[] } {
    const texts = Object.entries(members).map(([name, value], i) =>
      text64(JSON.stringify([`salt-${this.disclosures.length + i}`, name, value])),
    );
    this.disclosures.push(...texts);
    return { _sd: texts.map(disclosureDigest).sort() };
  }
}

/** A record with proofs that `buildLog` replaces. */
function logged(domain: string, center: number, index: number, timestamp: string, content: Tree): Tree {
  const origin = `${SERVICE}/chains/${center}/${domain}`;
  const place = { leafIndex: index, treeSize: 16, hashes: [], checkpoint: `${origin}\n` };
  const previousHash = index === 0 ? '' : sha256(`${origin} ${index - 1}`).toString('hex');
  return {
    record: { content: canonicalJson(content), previousHash, timestamp },
    inclusion: place,
    head: { ...place },
  };
}

const passkey = p256Passkey(31);

/** `signApprovals` replaces it with a signature. */
const UNSIGNED = {
  type: 'webauthn',
  credentialId: text64('credential'),
  publicKey: text64(passkey.spki),
  authenticatorData: text64(Buffer.concat([sha256(SERVICE), Buffer.of(5, 0, 0, 0, 1)])),
  clientDataJSON: text64(JSON.stringify({ type: 'webauthn.get', origin: URL_START })),
  signature: '',
};

interface Given {
  id: string;
  kind: 'session' | 'passkey' | 'api_key' | 'mandate';
  minute: number;
  result?: 'approved' | 'rejected';
  open?: Tree;
  sealed?: Tree;
}

function approval(sealer: Sealer, { id, kind, minute, result = 'approved', open, sealed }: Given): Tree {
  return {
    id: `apr_${id}`,
    approver: {
      type: kind === 'mandate' ? 'system' : 'human',
      ...sealer.sealed({ id, name: `Name of ${id}` }),
    },
    result,
    approvedAt: at(minute),
    by: { kind, ...sealer.sealed({ id: kind === 'api_key' ? 'key_1' : id }) },
    ...open,
    ...sealer.sealed({ reason: 'Fine.', ...(kind === 'passkey' && { signature: UNSIGNED }), ...sealed }),
  };
}

function event(
  sealer: Sealer,
  id: string,
  { type = 'custom', action = 'payment.refund', input = {} as Tree } = {},
): Tree {
  return {
    id,
    type,
    actor: { type: 'human', ...sealer.sealed({ id: 'agent-7', name: 'Requester' }) },
    action: { type: action, ...sealer.sealed({ description: 'Refund', input: { amount: 40, ...input } }) },
    occurredAt: at(0),
    ...sealer.sealed({ decisionId: `dec_${id}`, riskScore: 0.3, tags: ['a'] }),
  };
}

interface Policy {
  id: string;
  scope: 'GLOBAL' | 'CENTER';
  pattern: string;
  guards: Tree;
}

const BASELINE: Policy = {
  id: 'pol_baseline',
  scope: 'GLOBAL',
  pattern: '*',
  guards: { riskThreshold: 0.8, approverAuthentication: 'ASSERTED' },
};

function policyRecord({ id, scope, pattern, guards }: Policy, index: number): Tree {
  const content = {
    kind: 'policy',
    policyId: id,
    version: 3,
    scope,
    name: id,
    actionPattern: pattern,
    guards,
    active: true,
    by: { kind: 'session', _sd: [disclosureDigest(id)] },
    _sd_alg: 'sha-256',
  };
  return logged('journal', scope === 'CENTER' ? CENTER : 0, index, '2026-01-01T00:00:00.000Z', content);
}

/** The seven guards: those set by the policy are given, the rest come from the baseline. */
function guarded(
  policy: Policy,
  given: { [guard: string]: string } = {},
  humanReview = 'not required',
): Tree {
  const said = (guard: string, detail: string, by: Policy | null): Tree => ({
    guard,
    verdict: 'pass',
    detail: given[guard] ?? detail,
    ...((given[guard] ? policy : by) && { policy: (given[guard] ? policy : by)!.id, version: 3 }),
  });
  return {
    id: policy.id,
    version: 3,
    considered: [...new Set([policy.id, BASELINE.id])].sort().map((id) => ({ id, version: 3 })),
    guards: [
      said('policy_existence', 'a policy covers this action', policy),
      said('evidence_level', 'not required', null),
      said('human_review', humanReview, null),
      said('risk_threshold', 'risk at most 0.8', BASELINE),
      said('dual_approval', 'not required', null),
      said('approver_authentication', 'approvers at least ASSERTED', BASELINE),
      said('quorum', 'not required', null),
    ],
  };
}

function frame(
  id: string,
  domain: string,
  index: number,
  minute: number,
  content: Tree,
  sealer: Sealer,
): Tree {
  const { publicKey } = serviceSigners[0]!;
  const keyId = noteKeyId({ name: SERVICE, publicKey });
  return {
    '@context': `${URL_START}/schemas/decision-proof/v2`,
    '@type': 'DecisionProof',
    version: '2.0',
    format: 'countersign/4',
    exportedAt: '2026-02-02T00:00:00.000Z',
    evidence: { id: `evd_${id}`, chain: { index, domain } },
    verification: {
      hashAlgorithm: 'SHA-256',
      chainDomain: domain,
      chainIndex: index,
      verifyUrl: `${URL_START}/verify/${id}`,
    },
    disclosures: sealer.disclosures,
    ...logged(domain, CENTER, index, at(minute), content),
    publicKey: { keyId, name: SERVICE, publicKey: Buffer.from(publicKey).toString('base64') },
  };
}

interface Decided {
  approvals: Tree[];
  policy: Tree;
  event: Tree;
  mandate?: Tree;
}

function decided(id: string, index: number, minute: number, sealer: Sealer, content: Decided): Tree {
  const isSigned = content.approvals.some(({ by }) => (by as Tree)['kind'] === 'passkey');
  const chains = ['0/journal', `${CENTER}/journal`, ...(isSigned ? ['0/audit'] : [])];
  const journals = chains.sort().map((chain) => ({ origin: `${SERVICE}/chains/${chain}`, size: 12 }));
  const sealed = {
    kind: 'decision',
    service: SERVICE,
    center: { id: CENTER, domain: 'demo-rehab' },
    ...content,
    policy: { ...content.policy, journals },
    _sd_alg: 'sha-256',
  };
  return frame(id, 'proof', index, minute, sealed, sealer);
}

async function finished(document: Tree): Promise<Tree> {
  signApprovals(document['record'] as Tree, document['disclosures'] as string[]);
  showAgain(document);
  followHash(document);
  const cosignedAt = [Date.UTC(2026, 1, 1, 8) / 1000, Date.UTC(2026, 1, 1, 8) / 1000];
  await buildLog(document, { signers: 'service', cosignedAt });
  return document;
}

function passkeyRecord(change: string, timestamp: string, index: number): Tree {
  const sealer = new Sealer();
  const content = {
    kind: 'passkey',
    change,
    fingerprint: `sha256:${sha256(passkey.spki).toString('hex')}`,
    by: sealer.sealed({ id: 'ada' }),
    entry: { _sd: [disclosureDigest('facts')] },
    _sd_alg: 'sha-256',
  };
  return { ...logged('audit', 0, index, timestamp, content), disclosures: sealer.disclosures };
}

function outcome(eventId: string, decision: Tree): Tree {
  const sealer = new Sealer();
  const input = (decision['disclosures'] as string[]).find((text) => nameIn(text) === 'input')!;
  const content = {
    kind: 'outcome',
    eventId,
    status: 'executed',
    arguments: disclosureDigest(input),
    by: { kind: 'api_key', ...sealer.sealed({ id: 'key_1' }) },
    ...sealer.sealed({ output: { done: true } }),
    _sd_alg: 'sha-256',
  };
  return {
    status: 'executed',
    output: { done: true },
    recordedAt: at(40),
    journalIndex: 9,
    by: { kind: 'api_key', id: 'key_1' },
    disclosures: sealer.disclosures,
    ...logged('journal', CENTER, 9, at(40), content),
  };
}

/** A group with another member beside the given one, who alone is disclosed. */
function groupRecord(id: string, member: string, index: number): Tree {
  const text = text64(JSON.stringify([`salt-${id}`, 'member', member]));
  const members = [disclosureDigest(text), disclosureDigest(`${id} other`)].sort();
  const content = { kind: 'group', id, name: id, members };
  return {
    ...logged('journal', CENTER, index, '2026-01-10T00:00:00.000Z', content),
    disclosures: [text],
  };
}

function delegationRecord(id: string, from: string, to: string, index: number): Tree {
  const people = Object.entries({ from, to }).map(([role, person]) =>
    text64(JSON.stringify([`salt-${id}`, role, person])),
  );
  const [fromDigest, toDigest] = people.map(disclosureDigest);
  const content = {
    kind: 'delegation',
    id,
    from: fromDigest!,
    to: toDigest!,
    starts: '2026-01-15T00:00:00.000Z',
    until: '2026-02-15T00:00:00.000Z',
    ended: '2026-02-01T00:00:00.000Z',
  };
  return { ...logged('journal', CENTER, index, '2026-01-15T00:00:00.000Z', content), disclosures: people };
}

function quorumDecision(): Promise<Tree> {
  const guards = {
    quorum: [{ group: 'grp_a', count: 1, authentication: 'SIGNED' }, { count: 1 }],
    quorumOrdered: true,
    escalateAfterSeconds: 60,
    escalateToGroup: 'grp_c',
  };
  const policy: Policy = { id: 'pol_q', scope: 'CENTER', pattern: 'payment.*', guards };
  const sealer = new Sealer();
  const delegated = { seat: { index: 1 }, delegation: { id: 'del_1' }, escalation: { group: 'grp_c' } };
  const document = decided('evt_quorum', 3, 30, sealer, {
    event: event(sealer, 'evt_quorum'),
    approvals: [
      approval(sealer, {
        id: 'ada',
        kind: 'passkey',
        minute: 5,
        open: { seat: { index: 0, group: 'grp_a' } },
      }),
      approval(sealer, {
        id: 'bob',
        kind: 'session',
        minute: 6,
        open: delegated,
        sealed: { onBehalfOf: 'carla' },
      }),
    ],
    policy: guarded(policy, {
      quorum:
        '1 of grp_a (SIGNED), 1 of any human (ASSERTED), in order, escalating to grp_c after 60 seconds: filled',
    }),
  });
  return finished({
    ...document,
    credentials: [passkeyRecord('registered', '2026-01-11T00:00:00.000Z', 4)],
    policies: [policyRecord(policy, 2), policyRecord(BASELINE, 5)],
    groups: [groupRecord('grp_a', 'ada', 4), groupRecord('grp_c', 'carla', 6)],
    delegations: [delegationRecord('del_1', 'carla', 'bob', 11)],
    outcome: outcome('evt_quorum', document),
  });
}

function signedDecision(): Promise<Tree> {
  const guards = {
    approverAuthentication: 'SIGNED',
    passkeyAgeHours: 24,
    enforced: ['approver_authentication'],
  };
  const policy: Policy = { id: 'pol_s', scope: 'CENTER', pattern: 'payment.refund', guards };
  const sealer = new Sealer();
  const document = decided('evt_signed', 0, 30, sealer, {
    event: event(sealer, 'evt_signed'),
    approvals: [approval(sealer, { id: 'ada', kind: 'passkey', minute: 5 })],
    policy: guarded(policy, {
      approver_authentication: 'approvers at least SIGNED, passkeys at least 24 hours old',
    }),
  });
  return finished({
    ...document,
    credentials: [
      passkeyRecord('removed', '2026-01-01T00:00:00.000Z', 4),
      passkeyRecord('registered', '2026-01-30T01:00:00.000Z', 7),
    ],
    policies: [policyRecord(BASELINE, 5), policyRecord(policy, 2)],
  });
}

async function erasedDecision(): Promise<Tree> {
  const policy: Policy = { id: 'pol_d', scope: 'CENTER', pattern: '*', guards: { dualApproval: true } };
  const sealer = new Sealer();
  const document = decided('evt_erased', 4, 30, sealer, {
    event: event(sealer, 'evt_erased'),
    approvals: [
      approval(sealer, { id: 'ada', kind: 'api_key', minute: 5 }),
      approval(sealer, { id: 'bob', kind: 'api_key', minute: 6 }),
    ],
    policy: guarded(policy, { dual_approval: 'approval by two different approvers: given' }),
  });
  const author = new Sealer();
  const entry = logged('journal', CENTER, 11, at(50), {
    kind: 'erased',
    eventId: 'evt_erased',
    fields: ['action.description', 'actor.name'],
    reason: 'asked for',
    by: { kind: 'session', ...author.sealed({ id: 'act_1' }) },
    confirmedBy: { kind: 'session', ...author.sealed({ id: 'act_2' }) },
    _sd_alg: 'sha-256',
  });
  const journal = { ...entry, disclosures: author.disclosures };
  const by = { kind: 'session', id: 'act_1' };
  const confirmedBy = { kind: 'session', id: 'act_2' };
  return finished({
    ...document,
    disclosures: sealer.disclosures.filter((text) => nameIn(text) !== 'description'),
    policies: [policyRecord(policy, 2), policyRecord(BASELINE, 5)],
    erased: [{ path: 'action.description', at: at(50), reason: 'asked for', by, confirmedBy, journal }],
  });
}

function rejection(): Promise<Tree> {
  const sealer = new Sealer();
  const rejected = event(sealer, 'evt_rejected');
  const content = {
    kind: 'rejected',
    eventId: 'evt_rejected',
    eventDigest: sha256(canonicalJson(rejected)).toString('hex'),
    event: rejected,
    approval: approval(sealer, { id: 'ada', kind: 'passkey', minute: 5, result: 'rejected' }),
    by: { kind: 'passkey', _sd: [disclosureDigest('ada')] },
    _sd_alg: 'sha-256',
  };
  return finished({
    ...frame('evt_rejected', 'journal', 6, 20, content, sealer),
    kind: 'rejection',
    credentials: [passkeyRecord('registered', '2026-01-11T00:00:00.000Z', 4)],
  });
}

async function mandateUse(): Promise<Tree> {
  const input = {
    mandateId: 'mnd_1',
    agent: { id: 'AGENT-7' },
    actionPattern: 'payment.*',
    maxUses: 5,
    budget: { member: 'amount', limit: 100 },
    validUntil: '2026-06-01T00:00:00.000Z',
  };
  const granting = new Sealer();
  const grant = decided('evt_grant', 5, 30, granting, {
    event: event(granting, 'evt_grant', { type: 'policy_decision', action: 'mandate.grant', input }),
    approvals: [approval(granting, { id: 'ada', kind: 'session', minute: 5 })],
    policy: guarded(BASELINE, {}, 'grant of a mandate by a human: given'),
  });
  const mandateProof = await finished({ ...grant, policies: [policyRecord(BASELINE, 5)] });
  const sealer = new Sealer();
  const use = decided('evt_use', 8, 32, sealer, {
    event: event(sealer, 'evt_use'),
    approvals: [approval(sealer, { id: 'mnd_1', kind: 'mandate', minute: 31 })],
    policy: guarded(BASELINE),
    mandate: { id: 'mnd_1', eventId: 'evt_grant', use: 2, spent: 80, previous: 'ab'.repeat(32) },
  });
  return finished({ ...use, policies: [policyRecord(BASELINE, 5)], mandateProof });
}

export const freshDocuments = (): Promise<Tree[]> =>
  Promise.all([quorumDecision(), signedDecision(), erasedDecision(), rejection(), mandateUse()]);
