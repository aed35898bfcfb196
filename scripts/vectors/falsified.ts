/** Proofs with one fault each: changed afterwards, or sealed by a dishonest service. */
import { canonicalJson } from '@countersign/proof-kit/canonical';
import type { SealedDecision } from '@countersign/proof-kit/decision';
import { ed25519Spki } from '@countersign/proof-kit/der';
import { disclosureDigest, makeDisclosure, parseDisclosure } from '@countersign/proof-kit/disclosure';
import type { ProofDocument } from '@countersign/proof-kit/proof-document';
import { recordHash } from '@countersign/proof-kit/record';
import { altered, fileName, otherThan, pathsIn, valueAt } from './alter.ts';
import {
  approval,
  event,
  SERVICE,
  type SealedVector,
  sealVector,
  textOf,
  type VectorDecision,
} from './decisions.ts';
import {
  DECISIONS,
  later,
  newService,
  type Placed,
  passkey,
  proofOf,
  serviceSigners,
  strangerSigner,
  witnesses,
} from './genuine.ts';
import { VectorService } from './service.ts';
import { p256Passkey, primeModulusPasskey, smallFactorPasskey } from './signers.ts';

/** The neutral element of Ed25519: anyone can make signatures that it accepts. */
const SMALL_ORDER = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 1 : 0));
const NOT_ON_THE_CURVE = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 2 : 0));

type Files = Record<string, string>;
/** On one line: there are many, and few are read by people. */
const write = (document: unknown): string => `${JSON.stringify(document)}\n`;

/** Labels are not proven, so changing one is not a forgery. */
const LABELS = ['exportedAt', 'evidence/id'];
/** Optional parts: a proof without them says less but is not false. */
const OPTIONAL =
  /^(?:head|policies|policies\/\d+|credentials|credentials\/\d+|(?:outcome|policies\/\d+|credentials\/\d+)\/(?:inclusion|head)|credentials\/\d+\/disclosures\/\d+|outcome)$/;

/** One change, removal or addition at a time, at every path of a document or at the given ones. */
export function singleChanges(name: string, document: ProofDocument, at = /^/): Files {
  const files: Files = {};
  const add = (kind: string, path: string, changed: unknown) => {
    files[`${name}-${kind}-${fileName(path)}`] = write(changed);
  };
  for (const { path, value } of pathsIn(document)) {
    if (!at.test(path)) continue;
    if (!OPTIONAL.test(path)) add('without', path, altered(document, path, undefined));
    const other = LABELS.includes(path) ? undefined : otherThan(value);
    if (other !== undefined) add('other', path, altered(document, path, other));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      add('more-in', path, altered(document, `${path}/more`, 'something'));
  }
  add('more-in', 'document', { ...document, more: true });
  return files;
}

/** Faults that only the text of a file shows. */
function texts(document: ProofDocument): Files {
  const text = write(document);
  const replaced = (from: string | RegExp, to: string) => {
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`nothing to replace: ${from}`);
    return changed;
  };
  return {
    'repeated-record': replaced(
      '"record":{',
      '"record":{"content":"forged", "previousHash":"", "timestamp":""},\n  "record":{',
    ),
    'repeated-version': replaced('"version":"2.0"', '"version":"2.0","version":"2.0"'),
    'repeated-approver-name': replaced('"name":"Ada Keller"', '"name":"Mallory", "name":"Ada Keller"'),
    'repeated-by-escape': replaced('"name":"Ada Keller"', '"n\\u0061me":"Mallory", "name":"Ada Keller"'),
    'repeated-in-input': replaced('"amount":4250', '"amount":99, "amount":4250'),
    'half-surrogate': replaced('"amount":4250', '"amount":4250, "note":"\\ud83d"'),
    'number-too-large': replaced('"amount":4250', '"amount":4250, "most":1E400'),
    'number-not-exact': replaced('"amount":4250', '"amount":4250, "most":9007199254740993'),
    'not-json-at-the-end': `${text}}`,
    'not-json-comment': `// ${text}`,
    'not-json-cut': text.slice(0, -100),
    'not-json-byte-order-mark': `\ufeff${text}`,
    'not-json-nested': '['.repeat(5000) + ']'.repeat(5000),
    empty: '',
    'plain-text': 'Approved by everybody.\n',
    html: '<!doctype html><title>Decision proof</title><p>Proven.\n',
    list: write([document]),
    string: write('DecisionProof'),
    'other-json': write({ hello: 'world' }),
    'other-type': write({ ...document, '@type': 'Receipt' }),
    'no-type': write(altered(document, '@type', undefined)),
    'version-1': write({ ...document, version: '1.0' }),
    'version-number': write({ ...document, version: 2 }),
    'no-record': write(altered(document, 'record', undefined)),
    'record-is-text': write({ ...document, record: document.record.content }),
    'no-evidence': write(altered(document, 'evidence', undefined)),
  };
}

/** The hash recomputed everywhere, as by a forger who knows the rule but not the key. */
function rehashed(document: ProofDocument, content: string): ProofDocument {
  const hash = `sha256:${recordHash({ ...document.record, content })}`;
  let copy = altered(document, 'record/content', content);
  copy = altered(copy, 'evidence/chain/hash', hash);
  return altered(copy, 'verification/chainHash', hash);
}

/** Disclosures exchanged, forged or moved. */
function disclosures(document: ProofDocument, other: ProofDocument): Files {
  const list = document.disclosures!;
  const at = (name: string, value?: unknown) =>
    list.findIndex((text) => {
      const found = parseDisclosure(text);
      return found.name === name && (value === undefined || found.value === value);
    });
  const reason = at('reason');
  const { salt } = parseDisclosure(list[reason]!);
  const forged = makeDisclosure(salt, 'reason', 'Because I said so.');
  const withReason = (text: string) => {
    let copy = altered(document, `disclosures/${reason}`, text);
    for (const path of [
      'evidence/approval/reason',
      'evidence/approvals/0/reason',
      'evidence/responsibility/why/reasons/0',
    ])
      copy = altered(copy, path, 'Because I said so.');
    return copy;
  };
  const content = document.record.content!.replace(disclosureDigest(list[reason]!), disclosureDigest(forged));
  const name = at('name', 'Ada Keller');
  const swapped = structuredClone(document);
  swapped.disclosures = list.map((text, i) =>
    i === reason ? list[name]! : i === name ? list[reason]! : text,
  );
  return {
    'disclosure-reason-forged': write(withReason(forged)),
    'disclosure-reason-forged-and-hashed': write(rehashed(withReason(forged), content)),
    'disclosure-of-another-decision': write({ ...document, disclosures: [...list, other.disclosures![0]] }),
    'disclosures-of-another-decision': write({ ...document, disclosures: other.disclosures }),
    'disclosure-respelled': write(
      altered(
        document,
        `disclosures/${reason}`,
        Buffer.from(
          JSON.stringify(JSON.parse(Buffer.from(list[reason]!, 'base64url').toString()), null, 1),
        ).toString('base64url'),
      ),
    ),
    'disclosure-padded': write(altered(document, `disclosures/${reason}`, `${list[reason]}=`)),
    'disclosure-not-one': write(altered(document, `disclosures/${reason}`, 'e30')),
    'disclosures-gone': write({ ...document, disclosures: [] }),
    'disclosed-but-not-shown': write(altered(document, 'evidence/event/action/description', undefined)),
    'null-for-disclosed': write(altered(document, 'evidence/event/action/description', null)),
    'null-for-nothing': write(altered(document, 'evidence/event/action/output', null)),
    'content-and-readable-part-rewritten': write(
      rehashed(
        JSON.parse(JSON.stringify(document).replaceAll('refund.grant', 'refund.deny')),
        document.record.content!.replaceAll('refund.grant', 'refund.deny'),
      ),
    ),
    'content-spaced': write(rehashed(document, `${document.record.content} `)),
    'content-repeated-member': write(
      rehashed(
        document,
        document.record.content!.replace('"kind":"decision"', '"kind":"decision","kind":"decision"'),
      ),
    ),
  };
}

/** Who signed, and for whom. */
async function signers(whole: ProofDocument, platform: ProofDocument, other: ProofDocument): Promise<Files> {
  const sealed = sealVector(DECISIONS['whole']!);
  const strange = async (service: VectorService, domain = 'proof', center = 12) => {
    service.append(center, domain, 'before', later(0));
    const place = service.append(center, domain, textOf(sealed.content), later(1));
    await service.settle();
    return { id: 'whole', sealed, place: { ...place, domain: 'proof' } };
  };
  const proof = async (service: VectorService, domain?: string, center?: number) =>
    write(proofOf(service, await strange(service, domain, center)));
  const cosigners = witnesses.slice(0, 2);
  const stranger = new VectorService(SERVICE, [strangerSigner], cosigners);
  const elsewhere = new VectorService('other.example', serviceSigners, cosigners);
  const strangeProof = proofOf(stranger, await strange(stranger));
  const foreign = sealVector({ ...DECISIONS['whole']!, service: 'other.example' });
  const foreignService = new VectorService('other.example', [strangerSigner], cosigners);
  const foreignPlace = foreignService.append(12, 'proof', textOf(foreign.content), later(1));
  await foreignService.settle();
  const withNote = (document: ProofDocument, path: 'inclusion' | 'head', change: (note: string) => string) =>
    write(altered(document, `${path}/checkpoint`, change(document[path]!.checkpoint)));
  const badSignature = (line: string) =>
    line.replace(/(.{20})(.)(.{30})$/, (_, a, b, c) => `${a}${b === 'A' ? 'B' : 'A'}${c}`);
  const changeLine = (from: RegExp) => (note: string) =>
    note
      .split('\n')
      .map((line) => (from.test(line) ? badSignature(line) : line))
      .join('\n');
  return {
    'signed-by-a-stranger': write(strangeProof),
    'signed-by-a-stranger-in-the-name-of-the-key': write({ ...strangeProof, publicKey: whole.publicKey }),
    'signed-for-another-address': await proof(elsewhere),
    'of-another-service': write(
      proofOf(foreignService, { id: 'whole', sealed: foreign, place: foreignPlace }),
    ),
    'on-the-platform-chain': await proof(newService(), 'platform'),
    'on-the-audit-chain': await proof(newService(), 'audit'),
    'on-the-chain-of-another-center': await proof(newService(), 'proof', 13),
    'signature-changed': withNote(whole, 'inclusion', changeLine(/^\u2014 proof/)),
    'signature-of-head-changed': withNote(whole, 'head', changeLine(/^\u2014 proof/)),
    'cosignature-changed': withNote(whole, 'head', changeLine(/^\u2014 witness-1/)),
    'signatures-removed': withNote(
      whole,
      'inclusion',
      (note) => `${note.slice(0, note.indexOf('\n\n') + 2)}`,
    ),
    'checkpoint-size-changed': withNote(whole, 'inclusion', (note) => note.replace(/\n\d+\n/, '\n99\n')),
    'checkpoint-without-origin': withNote(whole, 'inclusion', (note) => note.replace(/^[^\n]+\n/, '')),
    'checkpoint-of-unknown-origin': withNote(whole, 'inclusion', (note) =>
      note.replace(/^[^\n]+/, 'elsewhere'),
    ),
    'checkpoint-is-head': write(altered(whole, 'inclusion/checkpoint', whole.head!.checkpoint)),
    'checkpoint-of-the-platform': write({ ...whole, inclusion: platform.inclusion, head: platform.head }),
    'inclusion-of-another-record': write({ ...whole, inclusion: other.inclusion }),
    'head-of-another-state': write({ ...whole, head: platform.head }),
    'head-is-chain': write(altered(whole, 'head/checkpoint', whole.inclusion!.checkpoint)),
    'head-without-inclusion': write(altered(altered(whole, 'inclusion', undefined), 'publicKey', undefined)),
    'key-without-inclusion': write(altered(altered(whole, 'inclusion', undefined), 'head', undefined)),
    'key-of-another-name': write(altered(whole, 'publicKey/name', 'other.example')),
    'key-of-another-id': write(altered(whole, 'publicKey/keyId', '00000000')),
  };
}

type Change = (content: SealedDecision, sealed: SealedVector) => unknown;

/** Contents that no honest service seals, on a chain signed by a trusted key. */
async function lies(): Promise<Files> {
  const files: Files = {};
  const seal = async (name: string, sealed: SealedVector, text: string, sealedAt = later(3)) => {
    const service = newService();
    service.append(12, 'proof', 'before', later(0));
    const place = service.append(12, 'proof', text, sealedAt);
    await service.settle();
    const placed: Placed = { id: name, sealed: sealed, place };
    files[`lie-${name}`] = write(proofOfLie(service, placed));
  };
  const decided = (name: string, decision: VectorDecision, sealedAt?: string) => {
    const sealed = sealVector(decision);
    return seal(name, sealed, textOf(sealed.content), sealedAt);
  };
  const changed = (name: string, change: Change, decision: VectorDecision = DECISIONS['whole']!) => {
    const sealed = sealVector(decision);
    const content = change(sealed.content, sealed) ?? sealed.content;
    return seal(name, sealed, typeof content === 'string' ? content : canonicalJson(content));
  };
  const agent = { id: 'Agent-7', type: 'ai_agent' } as const;
  const as = (id: string, kind: 'session' | 'api_key' = 'api_key') =>
    approval(`as-${id.length}`, {
      approver: { id, type: 'human' },
      by: { kind, id: kind === 'session' ? id : 'key_1' },
    });

  await decided('agent-approves-itself', { event: event('a', { actor: agent }), approvals: [as('Agent-7')] });
  await decided('agent-approves-itself-in-small', {
    event: event('a', { actor: agent }),
    approvals: [as('agent-7')],
  });
  await decided('agent-approves-itself-in-wide-letters', {
    event: event('a', { actor: agent }),
    approvals: [as('ａｇｅｎｔ－７')],
  });
  await decided('agent-approves-itself-with-a-joiner', {
    event: event('a', { actor: agent }),
    approvals: [as('agent\u200d-7 ')],
  });
  await decided('one-human-approves-twice', {
    event: event('a'),
    approvals: [as('ada@example.test'), { ...as('ADA@example.test '), id: 'apr_b' }],
    asked: { dualApproval: true },
  });
  await decided('one-human-approves-twice-in-folded-letters', {
    event: event('a'),
    approvals: [as('stra\u00dfe'), { ...as('STRASSE'), id: 'apr_b' }],
    asked: { dualApproval: true },
  });
  await decided('one-human-approves-twice-in-a-capital-sharp-s', {
    event: event('a'),
    approvals: [as('stra\u1e9ee'), { ...as('STRASSE'), id: 'apr_b' }],
    asked: { dualApproval: true },
  });
  await decided('one-human-approves-twice-with-a-null-notehead', {
    event: event('a'),
    approvals: [as('ada'), { ...as('ad\u{1d159}a'), id: 'apr_b' }],
    asked: { dualApproval: true },
  });
  await decided('dual-approval-with-a-machine', {
    event: event('a'),
    approvals: [as('ada'), { ...as('bot'), id: 'apr_b', approver: { id: 'bot', type: 'system' } }],
    asked: { dualApproval: true },
  });
  await decided('dual-approval-by-one', {
    event: event('a'),
    approvals: [as('ada')],
    asked: { dualApproval: true },
  });
  await decided('dual-approval-with-the-actor', {
    event: event('a'),
    approvals: [as('ada'), { ...as('Ben@Example.test'), id: 'apr_b' }],
    asked: { dualApproval: true },
  });
  await decided('review-by-the-actor', {
    event: event('a', { aiContext: { model: 'm' } }),
    approvals: [as('ben@example.test')],
    asked: { humanReviewForAi: true },
  });
  await decided('review-by-a-system', {
    event: event('a', { actor: agent }),
    approvals: [
      approval('s', { approver: { id: 'bot', type: 'system' }, by: { kind: 'api_key', id: 'key_1' } }),
    ],
    asked: { humanReviewForAi: true },
  });
  await decided('mandate-granted-with-a-key', {
    event: event('g', { type: 'policy_decision', action: { type: 'mandate.grant' } }),
    approvals: [as('ada')],
  });
  await decided('risk-without-a-human', {
    event: event('a', { riskScore: 0.9 }),
    approvals: [
      approval('s', { approver: { id: 'bot', type: 'system' }, by: { kind: 'api_key', id: 'key_1' } }),
    ],
  });
  await decided('session-asked-key-given', {
    event: event('a'),
    approvals: [as('ada')],
    asked: { approverAuthentication: 'SESSION' },
  });
  await decided('signature-asked-session-given', {
    event: event('a'),
    approvals: [as('ada', 'session')],
    asked: { approverAuthentication: 'SIGNED' },
  });
  await decided('approved-before-recorded', {
    event: event('a'),
    approvals: [approval('a', { approvedAt: '2026-01-31T11:57:59.999Z' })],
  });
  await decided('second-approval-before-first', {
    event: event('a'),
    approvals: [
      approval('a', { approvedAt: '2026-01-31T11:59:30.000Z' }),
      { ...as('eve'), approvedAt: '2026-01-31T11:59:29.999Z' },
    ],
  });
  await decided(
    'sealed-before-approved',
    { event: event('a'), approvals: [approval('a')] },
    '2026-01-31T11:58:59.999Z',
  );
  await decided('session-of-a-system', {
    event: event('a'),
    approvals: [approval('a', { approver: { id: 'x', type: 'system' }, by: { kind: 'session', id: 'x' } })],
  });
  await decided('system-as-a-human', {
    event: event('a'),
    approvals: [approval('a', { by: { kind: 'system' } })],
  });
  await decided('session-in-the-name-of-another', {
    event: event('a'),
    approvals: [approval('a', { by: { kind: 'session', id: 'mallory' } })],
  });
  await decided('same-approval-twice', {
    event: event('a'),
    approvals: [approval('a'), { ...as('eve'), id: 'apr_a' }],
  });

  const signed = (name: string, change: object, edit?: Change) => {
    const decision: VectorDecision = {
      event: event('s'),
      approvals: [
        approval('s', {
          by: { kind: 'passkey', id: approval('s').approver.id },
          signedBy: { passkey, ...change },
        }),
      ],
      asked: { approverAuthentication: 'SIGNED' },
    };
    return edit ? changed(name, edit, decision) : decided(name, decision);
  };
  await signed('passkey-at-another-origin', { origin: 'https://evil.example' });
  await signed('passkey-at-another-port', { origin: 'https://proof.example:8443' });
  await signed('passkey-for-another-party', { rpId: 'evil.example' });
  await signed('passkey-nobody-present', { flags: 0x04 });
  await signed('passkey-nobody-verified', { flags: 0x01 });
  await signed('passkey-registration', { type: 'webauthn.create' });
  await signed('passkey-unknown-kind', { passkey: { ...passkey, spki: passkey.spki.slice(0, -1) } });
  await signed('passkey-of-small-order', { passkey: { ...passkey, spki: ed25519Spki(SMALL_ORDER) } });
  await signed('passkey-not-on-the-curve', { passkey: { ...passkey, spki: ed25519Spki(NOT_ON_THE_CURVE) } });
  await signed('passkey-with-a-prime-modulus', { passkey: primeModulusPasskey() });
  await signed('passkey-with-a-small-factor', { passkey: smallFactorPasskey(65_521n) });
  await signed('passkey-of-another-key', { passkey: { ...passkey, spki: p256Passkey(99).spki } });
  await signed('passkey-result-changed', {}, (content) => {
    content.approvals[0]!.id = 'apr_other';
  });
  await signed('passkey-event-changed', {}, (content) => {
    content.event.action.type = 'refund.deny';
  });
  await signed('passkey-reason-changed', {}, (content, sealed) =>
    exchange(content, sealed, 'approvals.0.reason', 'reason', 'Because I said so.'),
  );
  await signed('passkey-approver-changed', {}, (content, sealed) =>
    exchange(content, sealed, 'approvals.0.approver.name', 'name', 'Mallory'),
  );
  await signed('passkey-without-signature', {}, (content, sealed) => {
    const text = sealed.disclosures.get('approvals.0.signature')!;
    sealed.disclosures.delete('approvals.0.signature');
    content.approvals[0]!._sd = content.approvals[0]!._sd!.filter(
      (digest) => digest !== disclosureDigest(text),
    );
  });
  await changed('signature-of-a-session', (content, sealed) => {
    const own = sealVector(DECISIONS['passkey-p256']!).disclosures.get('approvals.0.signature')!;
    sealed.disclosures.set('approvals.0.signature', own);
    content.approvals[0]!._sd = [...content.approvals[0]!._sd!, disclosureDigest(own)].sort();
  });

  await changed('free-text', () => 'Approved by everybody.');
  await changed('free-json', () => canonicalJson({ approved: true }));
  await changed('outcome-as-decision', () =>
    canonicalJson({ kind: 'outcome', eventId: 'evt_whole', status: 'executed' }),
  );
  await changed('old-content', ({ event: sealedEvent, approvals, policy }) => ({
    event: sealedEvent,
    approvals,
    policy,
  }));
  await changed('service-of-another', (content) => {
    content.service = 'other.example';
  });
  await changed('center-of-another', (content) => {
    content.center.id = 13;
  });
  await changed('more-in-content', (content) => ({ ...content, more: true }));
  await changed('more-in-event', (content) => ({
    ...content,
    event: { ...content.event, priority: 'high' },
  }));
  await changed('more-in-approval', (content) => ({
    ...content,
    approvals: [{ ...content.approvals[0], signed: true }],
  }));
  await changed('open-reason', (content) => ({
    ...content,
    approvals: [{ ...content.approvals[0], reason: 'In the open.' }],
  }));
  await changed('rejected', (content) => ({
    ...content,
    approvals: [{ ...content.approvals[0], result: 'rejected' }],
  }));
  await changed('no-approval', (content) => ({ ...content, approvals: [] }));
  await changed('no-policy', ({ policy: _, ...content }) => content);
  await changed('other-algorithm', (content) => ({ ...content, _sd_alg: 'sha-384' }));
  await changed('unknown-type', (content) => ({ ...content, event: { ...content.event, type: 'coup' } }));
  await changed('unknown-kind-of-approver', (content) => ({
    ...content,
    approvals: [{ ...content.approvals[0], by: { ...content.approvals[0]!.by, kind: 'fax' } }],
  }));
  await changed('digests-unsorted', (content) => {
    content.event._sd!.reverse();
  });
  await changed('digest-twice', (content) => {
    content.event.action._sd = [...new Set([...content.event.action._sd!, content.event._sd![0]!])].sort();
  });
  await changed('digest-too-many', (content) => {
    content.event.actor._sd = [...content.event.actor._sd!, disclosureDigest('x')].sort();
  });
  await changed('no-actor', (content, sealed) => {
    sealed.disclosures.delete('actor.id');
    sealed.disclosures.delete('actor.name');
    delete content.event.actor._sd;
  });
  await changed('unknown-member-disclosed', (content, sealed) =>
    exchange(content, sealed, 'actor.name', 'title', 'Director'),
  );
  await changed('name-that-is-no-text', (content, sealed) =>
    exchange(content, sealed, 'actor.name', 'name', ['Ben']),
  );
  await changed('confidence-over-one', (content, sealed) =>
    exchange(content, sealed, 'aiContext.confidence', 'confidence', 1.5),
  );
  await changed('id-disclosed-as-two', (content, sealed) =>
    exchange(content, sealed, 'actor.name', 'id', 'somebody-else'),
  );
  await changed('guard-failed', (content) => {
    content.policy.guards[2]!.verdict = 'fail';
  });
  await changed('guard-missing', (content) => {
    content.policy.guards.pop();
  });
  await changed('guards-in-another-order', (content) => {
    content.policy.guards.reverse();
  });
  await changed('guard-in-other-words', (content) => {
    content.policy.guards[4]!.detail = 'waived by the director';
  });
  await changed('guard-says-no-ai', (content) => {
    content.policy.guards[2]!.detail = 'not a decision of an AI';
  });
  await changed('guard-says-no-score', (content) => {
    content.policy.guards[3]!.detail = 'no risk score given';
  });
  await changed('guard-with-a-lower-threshold', (content) => {
    content.policy.guards[3]!.detail = 'risk at most 0.2';
  });
  await changed('guard-with-a-strange-threshold', (content) => {
    content.policy.guards[3]!.detail = 'risk at most 0.80';
  });
  await changed('guard-level-too-low', (content) => {
    content.policy.guards[1]!.detail = 'level DRAFT, at least DOCUMENTED required';
  });
  await changed('guard-no-policy', (content) => {
    content.policy.guards[0]!.detail = 'no policy covers this action';
  });
  await changed('journals-not-sorted', (content) => {
    content.policy.journals!.reverse();
  });
  await changed('journals-named-twice', (content) => {
    content.policy.journals![1] = content.policy.journals![0]!;
  });
  await changed('considered-nothing', (content) => {
    content.policy.considered = [];
  });
  await changed('considered-twice', (content) => {
    content.policy.considered!.push(content.policy.considered![0]!);
  });
  await changed('not-canonical', (content) => JSON.stringify(content, null, 1));
  await changed('half-surrogate', (content) =>
    JSON.stringify(content).replace('"refund.grant"', '"\\ud800"'),
  );
  return files;
}

/** Replaces one disclosure in both content and list, as only the service could. */
function exchange(
  content: SealedDecision,
  sealed: SealedVector,
  path: string,
  name: string,
  value: never | unknown,
): void {
  const old = sealed.disclosures.get(path)!;
  const { salt } = parseDisclosure(old);
  const forged = makeDisclosure(salt, name, value as string);
  sealed.disclosures.set(path, forged);
  for (const { path: at, value: list } of pathsIn(content)) {
    if (!at.endsWith('_sd') || !Array.isArray(list) || !list.includes(disclosureDigest(old))) continue;
    const digests = list as string[];
    digests.splice(digests.indexOf(disclosureDigest(old)), 1, disclosureDigest(forged));
    digests.sort();
  }
}

/** Even content that is not a valid decision is exported in the form of a proof. */
export function proofOfLie(service: VectorService, placed: Placed): ProofDocument {
  try {
    return proofOf(service, placed);
  } catch {
    const honest = sealVector(DECISIONS['whole']!);
    const other = newService();
    const place = other.append(12, 'proof', textOf(honest.content), later(3));
    const shape = proofOf(other, { ...placed, sealed: honest, place }, { without: ['inclusion'] });
    const record = service.record(placed.place);
    const hash = `sha256:${record.hash}`;
    const previousHash = `sha256:${record.previousHash}`;
    const chain = { ...shape.evidence.chain, hash, previousHash, index: placed.place.index };
    return {
      ...shape,
      evidence: { ...shape.evidence, chain },
      verification: { ...shape.verification, chainHash: hash, previousHash, chainIndex: chain.index },
      record: { content: record.content, previousHash: record.previousHash, timestamp: record.timestamp },
      disclosures: [...placed.sealed.disclosures.values()],
      ...service.state(placed.place),
    };
  }
}

/** A record of one kind in the form of another. */
function posing(whole: ProofDocument, platform: ProofDocument): Files {
  const { evidence } = whole;
  const { chain } = platform.evidence;
  const asDecision = {
    ...platform,
    evidence: { ...evidence, chain },
    record: platform.record,
    verification: { ...platform.verification, verifyUrl: whole.verification.verifyUrl },
    disclosures: whole.disclosures,
  };
  return {
    'platform-record-shown-as-decision': write(asDecision),
    'platform-record-relabelled-as-decision': write(
      altered(altered(asDecision, 'evidence/chain/domain', 'proof'), 'verification/chainDomain', 'proof'),
    ),
    'platform-record-with-an-event': write({
      ...platform,
      evidence: { ...platform.evidence, event: (evidence as { event?: unknown }).event },
    }),
    'platform-record-with-responsibility': write({
      ...platform,
      evidence: {
        ...platform.evidence,
        responsibility: (evidence as { responsibility?: unknown }).responsibility,
      },
    }),
    'platform-record-with-metadata': write({ ...platform, evidence: { ...platform.evidence, metadata: {} } }),
    'decision-shown-as-platform-record': write({
      ...whole,
      evidence: {
        ...platform.evidence,
        '@id': whole.verification.verifyUrl,
        id: 'evt_whole',
        decisionId: 'evt_whole',
        content: whole.record.content,
        chain: evidence.chain,
        createdAt: whole.record.timestamp,
      },
      disclosures: undefined,
    }),
    'platform-content-other': write(altered(platform, 'evidence/content', 'Something else.')),
    'platform-both-contents-other': write(
      altered(altered(platform, 'evidence/content', 'x'), 'record/content', 'x'),
    ),
    'platform-rehashed': write(rehashed(altered(platform, 'evidence/content', 'x'), 'x')),
    'platform-erased-but-shown': write({
      ...platform,
      erased: [{ path: 'content', at: later(9), reason: null }],
    }),
    'platform-erased-without-saying': write(
      altered(altered(platform, 'evidence/content', ''), 'record/content', ''),
    ),
    'platform-on-the-proof-chain': write(
      altered(altered(platform, 'evidence/chain/domain', 'proof'), 'verification/chainDomain', 'proof'),
    ),
    'platform-on-the-audit-chain': write(
      altered(altered(platform, 'evidence/chain/domain', 'audit'), 'verification/chainDomain', 'audit'),
    ),
  };
}

function others(
  whole: ProofDocument,
  executed: ProofDocument,
  partial: Record<string, ProofDocument>,
): Files {
  const erased = (path: string) => ({ path, at: later(9), reason: null });
  const withheld = partial['decision-input-withheld']!;
  const outcome = executed.outcome!;
  return {
    'address-of-another-host': write(
      JSON.parse(
        JSON.stringify(whole).replaceAll('https://proof.example/verify', 'https://evil.example/verify'),
      ),
    ),
    'address-of-another-record': write(
      JSON.parse(JSON.stringify(whole).replaceAll('/verify/evt_whole', '/verify/evt_first')),
    ),
    'address-with-a-query': write(
      JSON.parse(JSON.stringify(whole).replaceAll('proof.example/verify', 'proof.example/?x=/verify')),
    ),
    'erased-but-shown': write({ ...whole, erased: [erased('action.input')] }),
    'erased-of-unknown-path': write({ ...withheld, erased: [erased('action.secret')] }),
    'erased-twice': write({ ...withheld, erased: [erased('action.input'), erased('action.input')] }),
    'erased-never-sealed': write({ ...withheld, erased: [erased('actor.name')] }),
    'erased-output-but-shown': write({ ...executed, erased: [erased('outcome.output')] }),
    'erased-output-of-no-outcome': write({ ...withheld, erased: [erased('outcome.output')] }),
    'withheld-but-shown': write(altered(withheld, 'evidence/event/action/input', { amount: 4250 })),
    'withheld-null': write(altered(withheld, 'evidence/event/action/input', null)),
    'outcome-of-another-decision': write({ ...whole, outcome }),
    'outcome-status': write(altered(executed, 'outcome/status', 'failed')),
    'outcome-of-other-arguments': write(
      withOutcomeContent(executed, (content) => ({ ...content, arguments: disclosureDigest('x') })),
    ),
    'outcome-without-arguments': write(
      withOutcomeContent(executed, ({ arguments: _, ...content }) => content),
    ),
    'outcome-on-another-chain': write(altered(executed, 'outcome/inclusion', executed.inclusion)),
    'outcome-of-nothing': write(altered(executed, 'outcome/record/content', 'executed')),
  };
}

function withOutcomeContent(
  document: ProofDocument,
  change: (content: Record<string, unknown>) => unknown,
): ProofDocument {
  const content = JSON.parse(valueAt(document, 'outcome/record/content') as string);
  return altered(document, 'outcome/record/content', canonicalJson(change(content)));
}

export async function falsifiedProofs(
  genuine: Record<string, ProofDocument>,
  partial: Record<string, ProofDocument>,
): Promise<Files> {
  const [whole, first, platform, executed] = [
    genuine['decision-whole']!,
    genuine['decision-first']!,
    genuine['platform-1']!,
    genuine['decision-executed']!,
  ];
  return {
    ...texts(first),
    ...singleChanges('decision', genuine['decision-only']!),
    ...singleChanges(
      'passkey',
      genuine['decision-passkey-p256']!,
      /approvals\/0\/(?:by|signature|credential)/,
    ),
    ...singleChanges('platform', platform),
    ...singleChanges('outcome', executed, /^outcome/),
    ...disclosures(whole, first),
    ...(await signers(whole, platform, first)),
    ...(await lies()),
    ...posing(whole, platform),
    ...others(whole, executed, partial),
  };
}
