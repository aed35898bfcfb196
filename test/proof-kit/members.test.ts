import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { canonicalJson } from '@countersign/proof-kit/canonical';
import { APPROVAL, DISCLOSABLE_MEMBERS, EVENT, EVENT_TABLE, OUTCOME } from '@countersign/proof-kit/decision';
import { fraction } from '@countersign/proof-kit/form';
import { jsonldTerms } from '@countersign/proof-kit/jsonld-context';
import { DisclosureSet, openTree, readContent, withheldNames } from '@countersign/proof-kit/sealed-content';
import { maybe, SealedObject } from '@countersign/proof-kit/sealed-object';
import { expect, test } from 'vitest';
import { digestOfDisclosure, reseal, sealNew, split, whole } from '../../src/domain/decisions/content.ts';
import { hasPython } from '../verifiers/python-process.ts';

const plain = {
  id: 'evt_1',
  decisionId: 'refund-1',
  type: 'custom',
  actor: { id: 'a', type: 'human' },
  action: { type: 'refund.grant', input: { amount: 1 } },
  urgency: 0.75,
  occurredAt: '2026-01-31T11:58:00.250Z',
} as const;

test('a member added to the table is sealed, stored, disclosed, withheld and erased', () => {
  const extended = new SealedObject('', {
    ...EVENT_TABLE,
    urgency: maybe(fraction, { label: ['Decision', 'urgency'], large: true }),
  });
  expect(extended.paths.map(({ path }) => path)).toContain('urgency');
  expect(jsonldTerms(extended)).toMatchObject({ urgency: 'countersign:urgency' });
  expect(extended.fault({ ...plain, urgency: 2 })).toBe('urgency is not a number from 0 to 1');

  const { sealed, salts } = sealNew(extended, plain);
  const stored = { ...split(extended, plain), salts, erased: null };
  expect(stored.large).toEqual({ 'action.input': { amount: 1 }, urgency: 0.75 });
  expect(stored.content).not.toHaveProperty('urgency');
  const { disclosed } = reseal(extended, structuredClone(stored));
  expect(whole(extended, structuredClone(stored))).toEqual(plain);

  const text = canonicalJson(sealed as never);
  expect(readContent(text, 'the content', 'event', extended.form)).toEqual(sealed);
  const opened = openTree(extended, sealed, new DisclosureSet(Object.values(disclosed)));
  expect(opened.shown).toEqual(plain);
  const { urgency, ...others } = disclosed;
  const closed = openTree(extended, sealed, new DisclosureSet(Object.values(others)));
  expect(withheldNames(closed.withheld)).toEqual(['1 of tags and riskScore and urgency']);

  const { urgency: _, ...remaining } = salts;
  const mark = { at: plain.occurredAt, reason: 'r', digest: digestOfDisclosure(urgency!) };
  const { urgency: __, ...large } = stored.large!;
  const erased = { content: stored.content, large, salts: remaining, erased: { urgency: mark } };
  expect(reseal(extended, erased).sealed).toEqual(sealed);
});

test.runIf(hasPython)('the Python verifier knows the same members', () => {
  const script = `
import json, countersign_verify as v
def of(prefix, members): return {prefix + name: is_always for name, _, is_always in members}
print(json.dumps({**of("", v.EVENT_MEMBERS), **of("actor.", v.PARTY_MEMBERS), **of("action.", v.ACTION_MEMBERS),
  **of("aiContext.", v.AI_MEMBERS), **of("approvals.approver.", v.PARTY_MEMBERS),
  **of("approvals.", v.approval_members(True, True)), **of("approvals.by.", v.by_members("passkey", True))}))`;
  const cwd = fileURLToPath(new URL('../../verifiers/python', import.meta.url));
  const { stdout, stderr } = spawnSync('python3', ['-c', script], { cwd, encoding: 'utf8' });
  expect(stderr).toBe('');
  const own = [...EVENT.paths, ...APPROVAL.paths].map(({ path, presence }) => [path, presence === 'always']);
  expect(JSON.parse(stdout)).toEqual(Object.fromEntries(own));
});

test('every disclosable member has a label, and large ones are named', () => {
  for (const { path, label } of DISCLOSABLE_MEMBERS) expect(label.join(': '), path).toMatch(/^\S.*: \S/);
  const large = [EVENT, APPROVAL, OUTCOME].flatMap(({ paths }) => paths.filter((each) => each.large));
  expect(large.map(({ path }) => path)).toEqual(['action.input', 'action.output', 'outcome.output']);
});
