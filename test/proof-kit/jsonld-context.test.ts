import { readFileSync } from 'node:fs';
import jsonld from 'jsonld';
import { describe, expect, it } from 'vitest';
import { jsonldContext } from '../../src/proof-kit/index.ts';
import type { VectorManifest } from '../vectors/make.ts';

const SCHEMA_URL = 'https://proof.example/schemas';
const CONTEXT_URL = `${SCHEMA_URL}/decision-proof/v2`;
const VOCABULARY = `${CONTEXT_URL}#`;
const PROV = 'http://www.w3.org/ns/prov#';

const folder = new URL('../vectors/', import.meta.url);
const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
const { genuine } = read('manifest.json') as VectorManifest;

/** Answers for the context alone: any other address would mean network traffic. */
function loaderFor(context: object) {
  return async (url: string) => {
    if (url !== CONTEXT_URL) throw new Error(`unexpected load of ${url}`);
    return { documentUrl: url, document: context as jsonld.NodeObject };
  };
}

function withoutVocabulary() {
  const { '@vocab': _, ...terms } = jsonldContext(SCHEMA_URL)['@context'];
  return { '@context': terms };
}

const served = loaderFor(jsonldContext(SCHEMA_URL));
const strict = loaderFor(withoutVocabulary());

/** JSON-LD has no null: what says nothing is not there. JSON literals keep theirs. */
function withoutNulls(value: unknown, key = ''): unknown {
  if (['input', 'output', 'metadata', 'policy'].includes(key)) return value;
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member, name)]));
}

type Expanded = { [iri: string]: Expanded[] } & { '@value'?: unknown; '@type'?: unknown; '@list'?: unknown };

describe('the JSON-LD context', () => {
  it.each(genuine)('expands $file and compacts it back to the same document', async ({ file }) => {
    const document = read(file) as jsonld.JsonLdDocument;
    const expanded = await jsonld.expand(document, {
      documentLoader: served,
      safe: true,
    } as jsonld.Options.Expand);
    const compacted = await jsonld.compact(expanded, CONTEXT_URL as unknown as jsonld.ContextDefinition, {
      documentLoader: served,
    });
    expect(compacted).toEqual(withoutNulls(document));
  });

  it.each(genuine)(
    'names every field of $file itself, apart from answers to the six questions',
    async ({ file }) => {
      const document = withoutNulls(read(file)) as { evidence: { responsibility?: unknown } };
      delete document.evidence.responsibility;
      // Safe mode throws where a processor would silently drop a field.
      const options = { documentLoader: strict, safe: true } as jsonld.Options.Expand;
      await expect(jsonld.expand(document as jsonld.JsonLdDocument, options)).resolves.toHaveLength(1);
    },
  );

  it('says in PROV-O who did what and when', async () => {
    const document = read('genuine/decision.json') as jsonld.JsonLdDocument;
    const [proof] = (await jsonld.expand(document, { documentLoader: served })) as unknown as Expanded[];
    const evidence = proof![`${VOCABULARY}evidence`]![0]!;
    const decision = evidence[`${PROV}wasGeneratedBy`]![0]!;
    const actor = decision[`${PROV}wasAssociatedWith`]![0]!;
    expect(proof!['@type']).toEqual([`${VOCABULARY}DecisionProof`]);
    expect(actor['https://schema.org/name']![0]!['@value']).toBe('Refund assistant');
    expect(actor[`${VOCABULARY}actorType`]![0]!['@value']).toBe('ai_agent');
    expect(decision[`${PROV}startedAtTime`]).toEqual([
      { '@type': 'http://www.w3.org/2001/XMLSchema#dateTime', '@value': '2026-01-31T11:58:00.250Z' },
    ]);
    const approver = evidence[`${PROV}wasInfluencedBy`]![0]![`${PROV}wasAssociatedWith`]![0]!;
    expect(approver['https://schema.org/name']![0]!['@value']).toBe('Ben Okafor');
    const input = decision[`${VOCABULARY}action`]![0]![`${VOCABULARY}input`]![0]!;
    expect(input['@type']).toBe('@json');
    expect(input['@value']).toMatchObject({ note: null, lines: [[1, 2.5], []] });
  });

  it('becomes RDF', async () => {
    const document = read('genuine/platform.json') as jsonld.JsonLdDocument;
    const options = { documentLoader: served, format: 'application/n-quads' } as jsonld.Options.ToRdf;
    const quads = String(await jsonld.toRDF(document, options));
    expect(quads).toContain(`<${PROV}atLocation>`);
    expect(quads).toContain(
      `<${VOCABULARY}leafIndex> "3"^^<http://www.w3.org/2001/XMLSchema#nonNegativeInteger>`,
    );
  });

  it('protects its terms from being redefined by a later context', async () => {
    const document = {
      ...(read('genuine/decision.json') as object),
      '@context': [CONTEXT_URL, { evidence: 'https://x.example/e' }],
    };
    await expect(
      jsonld.expand(document as jsonld.JsonLdDocument, { documentLoader: served }),
    ).rejects.toMatchObject({ details: { code: 'protected term redefinition' } });
  });

  it('keeps fields that it does not know yet', async () => {
    const document = { ...(read('genuine/decision.json') as object), addedLater: 'kept' };
    const [proof] = (await jsonld.expand(document as jsonld.JsonLdDocument, {
      documentLoader: served,
    })) as unknown as Expanded[];
    expect(proof![`${VOCABULARY}addedLater`]![0]!['@value']).toBe('kept');
  });
});
