import { readFileSync } from 'node:fs';
import { proofCardFacts } from '@countersign/proof-kit/card-from-proof';
import { decisionCard, plainWords } from '@countersign/proof-kit/decision-card';
import { decisionProof, type ProofDocument } from '@countersign/proof-kit/proof-document';
import { describe, expect, it } from 'vitest';

const vector = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../vectors/${name}.json`, import.meta.url), 'utf8')) as ProofDocument;

/** The text of each section of the card. */
function said(document: ProofDocument): Record<string, string> {
  const { sections } = decisionCard(proofCardFacts(document)!);
  const text = (parts: Parameters<typeof plainWords>[0]) => plainWords(parts, (iso) => iso);
  return Object.fromEntries(
    sections.map(({ id, points, rows, values }) => [
      id,
      [
        ...points.map(({ words }) => text(words)),
        ...rows.map(({ label, value }) => `${label}: ${text(value)}`),
        ...values.map(({ path, value }) => `${path}=${value}`),
      ].join(' | '),
    ]),
  );
}

/** A document with a part of its disclosures, shown as its service would show it. */
function disclosing(document: ProofDocument, isShown: (name: string) => boolean): ProofDocument {
  const { evidence, record, disclosures = [], ...rest } = document;
  const kept = disclosures.filter((each) => {
    const [, name] = JSON.parse(Buffer.from(each, 'base64url').toString()) as [string, string];
    return isShown(name);
  });
  const { chain } = evidence;
  const shown = decisionProof({
    schemaUrl: 'https://schema.example',
    publicUrl: 'https://service.example',
    exportedAt: record.timestamp,
    id: evidence.id,
    chain: { ...chain, hash: chain.hash.slice(7), previousHash: null },
    record,
    disclosures: kept,
  });
  return { ...rest, ...shown };
}

describe('the card of a proof document', () => {
  it('counts seats again and names policies and groups by their attached records', () => {
    const document = vector('genuine/quorum-delegated-and-escalated');
    const { seats, policies, approvals } = said(document);
    expect(seats).toContain('One member of Group grp_medical, signed in: filled by dora');
    expect(policies).toContain('(policy Baseline, version 3)');
    expect(approvals).toContain('on behalf of');
    const unplaced = document.policies!.map(({ inclusion: _, ...each }) => each);
    expect(said({ ...document, policies: unplaced })['policies']).not.toContain('Baseline');
  });

  it('says that a member is not in the copy if the digests do not tell which member is withheld', () => {
    const document = disclosing(vector('genuine/decision-executed'), (name) => name !== 'input');
    const { arguments: input, expected, request } = said(document);
    expect(input).toBe('Not in this copy: withheld, or there was none.');
    expect(request).not.toContain('Not in this copy');
    expect(expected ?? input).toBe('Not in this copy: withheld, or there was none.');
  });

  it('names the provider that signed an approver in, unless the copy withholds it', () => {
    const { approvals } = said(vector('genuine/signed-in-through-a-provider-with-a-passkey'));
    expect(approvals).toContain(
      'ada approved, signed with a passkey, signed in through https://login.example',
    );
    expect(approvals).toContain('cleo approved, signed in through https://login.example');
    const withheld = said(vector('partial/identity-withheld'));
    expect(withheld['approvals']).toContain(
      "signed in through the company's identity provider, which is not named",
    );
    expect(withheld['absent'] ?? withheld['approvals']).toContain('company accounts');
    const rejected = said(vector('genuine/rejection-through-a-provider'));
    expect(rejected['approvals']).toContain('rejected, signed in through https://login.example');
  });

  it('is null for a record that is no decision', () => {
    expect(proofCardFacts(vector('genuine/platform-0'))).toBeNull();
  });
});
