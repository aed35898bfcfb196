import { readdirSync, readFileSync } from 'node:fs';
import { type ProofDocument, parseVerifierKey, type Trust, verifyProof } from '@countersign/proof-kit';
import { compareProofs } from '@countersign/proof-kit/compare-proofs';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { FOLDERS, makeVectors, retiredTrust, vectorTrust } from '../../scripts/make-vectors.ts';
import { singleChanges } from '../../scripts/vectors/falsified.ts';
import { buildWorld, genuineProofs, proofOf } from '../../scripts/vectors/genuine.ts';

const folder = new URL('../../vectors/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');
const filesIn = (kind: string) => readdirSync(new URL(kind, folder)).map((name) => `${kind}/${name}`);
const verdicts = JSON.parse(read('verdicts.json')) as Record<string, string>;
const lineOf = async (text: string, trust: Trust = vectorTrust) => {
  const { verdict, reason } = await verifyProof(text, trust);
  return `${verdict}: ${reason}`;
};

describe('the vectors', () => {
  it('equal the output of the script, byte for byte', async () => {
    const made = await makeVectors();
    expect([...made.keys()].sort()).toEqual(
      [...FOLDERS.flatMap(filesIn), 'keys.json', 'unicode-15.1.json', 'verdicts.json'].sort(),
    );
    for (const [file, text] of made) expect([file, read(file) === text]).toEqual([file, true]);
  });

  it('are listed with the keys that give their verdicts', async () => {
    const { keys, quorum, retired } = JSON.parse(read('keys.json'));
    expect(keys.map(parseVerifierKey)).toEqual(vectorTrust.keys);
    expect(quorum).toBe(vectorTrust.quorum);
    expect([{ ...parseVerifierKey(retired.key), until: retired.until }]).toEqual(retiredTrust.keys);
  });

  it.each(filesIn('genuine'))('%s is proven', async (file) => {
    expect(await lineOf(read(file))).toBe(verdicts[file]);
    expect(verdicts[file]).toMatch(/^proven: /);
  });

  it.each(filesIn('partial'))('%s is partial', async (file) => {
    expect(await lineOf(read(file))).toBe(verdicts[file]);
    expect(verdicts[file]).toMatch(/^partial: /);
  });

  it.each(filesIn('consistent'))('%s is consistent', async (file) => {
    expect(await lineOf(read(file), retiredTrust)).toBe(verdicts[file]);
    expect(verdicts[file]).toMatch(/^consistent: /);
  });

  it.each(filesIn('conditional'))('%s is partial if conditions cannot be evaluated', async (file) => {
    expect(await lineOf(read(file))).toBe(verdicts[file]);
    expect(verdicts[file]).toMatch(/^partial: cannot check the condition/);
  });

  test('falsified ones are refuted or unreadable', async () => {
    for (const file of filesIn('falsified')) {
      expect([file, await lineOf(read(file))]).toEqual([file, verdicts[file]]);
      expect(verdicts[file]).toMatch(/^(?:refuted|unreadable): /);
    }
  });

  it.each(filesIn('falsified').filter((file) => verdicts[file]!.startsWith('unreadable')))(
    '%s is unreadable for a reason of format, not of content',
    (file) => {
      expect(verdicts[file]).toMatch(
        /it (?:is not JSON|is nested|is no decision proof|is of another|has no|begins with)|written in/,
      );
    },
  );

  test('genuine ones do not contradict each other', async () => {
    const proofs = [];
    for (const name of ['genuine', 'partial', 'conditional'].flatMap(filesIn))
      proofs.push({ name, verdict: await verifyProof(read(name), vectorTrust) });
    for (const { name, verdict } of compareProofs(proofs))
      expect([name, verdict.verdict]).not.toContain('refuted');
  });

  test('contradicting ones are proven alone and refuted together', async () => {
    const proofs = [];
    for (const name of filesIn('contradicting'))
      proofs.push({ name, verdict: await verifyProof(read(name), vectorTrust) });
    expect(proofs.map(({ verdict }) => verdict.verdict)).toEqual(Array(proofs.length).fill('proven'));
    expect(compareProofs(proofs).map(({ verdict }) => verdict.verdict)).toEqual(
      Array(proofs.length).fill('refuted'),
    );
  });
});

describe('any single change of a proof', () => {
  test('is detected', async () => {
    const genuine = await genuineProofs(buildWorld());
    let changes = 0;
    for (const name of [
      'decision-whole',
      'decision-dual',
      'decision-passkey-rsa',
      'decision-executed',
      'platform-2',
    ]) {
      for (const [change, text] of Object.entries(singleChanges(name, genuine[name]!))) {
        const { verdict } = await verifyProof(text, vectorTrust);
        expect([change, verdict]).toEqual([change, expect.stringMatching(/^(?:refuted|unreadable)$/)]);
        changes++;
      }
    }
    expect(changes).toBeGreaterThan(1500);
  }, 60_000);
});

describe('verdict by trusted keys and witnesses', () => {
  const whole = read('genuine/decision-whole.json');
  const { keys, witnesses } = vectorTrust;
  const [old, added] = keys!;
  const stranger = { ...old!, publicKey: new Uint8Array(32).fill(9) };
  const SEALED = 'sealed at 2026-01-31T12:01:00.000Z; approved by 1 person (session)';
  const ENDS = 'outcome: none shown; named "Ada Keller"';

  test.each<[string, Trust, string]>([
    ['nothing', {}, 'consistent: it agrees with itself; no trusted key was named; outcome: none shown'],
    ['one key', { keys: [old!] }, `proven: ${SEALED}; signed by proof.example+a58043e1; ${ENDS}`],
    ['the next key', { keys: [added!] }, `proven: ${SEALED}; signed by proof.example+f60b5365; ${ENDS}`],
    ['another key', { keys: [stranger] }, 'refuted: inclusion.checkpoint is not signed by a trusted key'],
    ['an empty list of keys', { keys: [] }, 'refuted: inclusion.checkpoint is not signed by a trusted key'],
    [
      'the key of another service',
      { keys: [{ ...old!, name: 'other.example' }] },
      'refuted: inclusion.checkpoint is not signed by a trusted key',
    ],
    [
      'an unvouched key',
      { keys: [{ ...old!, isUnvouched: true }] },
      'consistent: it agrees with itself; nobody but its service vouches for proof.example+a58043e1; outcome: none shown',
    ],
    [
      'an unvouched key and another one',
      { keys: [{ ...old!, isUnvouched: true }, added!] },
      `proven: ${SEALED}; signed by proof.example+f60b5365; ${ENDS}`,
    ],
    [
      'a witness',
      { keys: [old!], witnesses: [witnesses![0]!] },
      `proven: ${SEALED}; existed by 2026-02-01T08:00:00.000Z (1 of 1 witnesses); signed by proof.example+a58043e1; ${ENDS}`,
    ],
    [
      'a witness that did not cosign',
      { keys: [old!], witnesses: [witnesses![2]!] },
      'partial: missing: quorum (0 of 1 witnesses), policies[0].quorum (0 of 1 witnesses); outcome: none shown',
    ],
    [
      'one witness named twice',
      { keys: [old!], witnesses: [witnesses![0]!, witnesses![0]!], quorum: 2 },
      'partial: missing: quorum (1 of 2 witnesses), policies[0].quorum (1 of 2 witnesses); outcome: none shown',
    ],
    [
      'witnesses and no key',
      { witnesses: witnesses!, quorum: 2 },
      'consistent: it agrees with itself; no trusted key was named; outcome: none shown',
    ],
    [
      'a quorum that is not reached',
      { keys: [old!], witnesses: witnesses!, quorum: 3 },
      'partial: missing: quorum (2 of 3 witnesses), policies[0].quorum (2 of 3 witnesses); outcome: none shown',
    ],
  ])('%s', async (_, trust, line) => {
    expect(await lineOf(whole, trust)).toBe(line);
  });

  test('a proof without head is proven if no witness is required', async () => {
    expect(await lineOf(read('partial/decision-without-head.json'), { keys: [old!] })).toMatch(/^proven: /);
  });
});

describe('without Web Crypto', () => {
  const trust = { keys: vectorTrust.keys! };
  const native = Object.getOwnPropertyDescriptor(globalThis, 'crypto')!;
  beforeAll(() => {
    Object.defineProperty(globalThis, 'crypto', { configurable: true, value: {} });
  });
  afterAll(() => {
    Object.defineProperty(globalThis, 'crypto', native);
  });

  test.each(['decision-passkey-p256', 'decision-passkey-ed25519', 'decision-passkey-rsa', 'quorum-met'])(
    'the signatures of %s cannot be checked, and the verdict is partial',
    async (name) => {
      expect(await lineOf(read(`genuine/${name}.json`), trust)).toBe(
        'partial: cannot check passkey signatures, Ed25519 signatures; outcome: none shown',
      );
    },
  );

  test('for a decision without passkeys only the log signatures cannot be checked', async () => {
    expect(await lineOf(read('genuine/decision-whole.json'), trust)).toBe(
      'partial: cannot check Ed25519 signatures; outcome: none shown',
    );
  });

  test.each(['disclosure-reason-forged', 'lie-passkey-at-another-origin', 'quorum-unmet'])(
    'checks that need no signature still refute %s',
    async (name) => {
      const file = `falsified/${name}.json`;
      expect(await lineOf(read(file), trust)).toBe(verdicts[file]);
    },
  );
});

describe('verification steps', () => {
  test('all pass if the proof is proven, each with an explanation', async () => {
    const { steps } = await verifyProof(read('genuine/decision-executed.json'), vectorTrust);
    expect(steps.map(({ step, verdict }) => `${step} ${verdict}`)).toEqual(
      [
        'document',
        'hash',
        'link',
        'content',
        'decision',
        'inclusion',
        'signature',
        'witnesses',
        'policies',
        'outcome',
      ].map((step) => `${step} pass`),
    );
    for (const { explanation } of steps) expect(explanation).toMatch(/^[A-Z].*\.$/);
  });

  test('end with the step that failed', async () => {
    const { steps } = await verifyProof(read('falsified/lie-agent-approves-itself.json'), vectorTrust);
    expect(steps.at(-1)).toMatchObject({ step: 'decision', verdict: 'fail' });
  });
});

test('order of members and whitespace do not change the verdict', async () => {
  const document = JSON.parse(read('genuine/decision-whole.json')) as ProofDocument;
  const backwards = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(backwards);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, member]) => [name, backwards(member)]),
    );
  };
  expect(await lineOf(JSON.stringify(backwards(document), null, '\t'))).toBe(
    verdicts['genuine/decision-whole.json'],
  );
});

test('each withheld member is listed by its path', async () => {
  const world = buildWorld();
  await genuineProofs(world);
  const placed = world.decisions['whole']!;
  for (const path of placed.sealed.disclosures.keys()) {
    const proof = proofOf(world.service, placed, { withhold: [path] });
    expect(await lineOf(JSON.stringify(proof))).toBe(
      `partial: withheld: ${path.replace('approvals.0.', 'approvals.')}; outcome: none shown`,
    );
  }
});
