import { readdirSync, readFileSync } from 'node:fs';
import { jsonldContext } from '@countersign/proof-kit';
import jsonld from 'jsonld';
import { describe, expect, it } from 'vitest';

const SCHEMA_URL = 'https://proof.example/schemas';
const CONTEXT_URL = `${SCHEMA_URL}/decision-proof/v2`;
const VOCABULARY = `${CONTEXT_URL}#`;
const PROV = 'http://www.w3.org/ns/prov#';
const RDF_TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';

const folder = new URL('../../vectors/', import.meta.url);
const read = (file: string) =>
  JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as jsonld.JsonLdDocument & Record<string, unknown>;
const files = ['genuine', 'partial'].flatMap((kind) =>
  readdirSync(new URL(kind, folder)).map((name) => `${kind}/${name}`),
);

/** Serves only the context: any other URL would mean network traffic. */
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

/** JSON-LD has no null: empty members are dropped. JSON literals keep theirs. */
function withoutNulls(value: unknown, key = ''): unknown {
  if (['input', 'output', 'policy', 'signature'].includes(key)) return value;
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member, name)]));
}

/** The statements of a document, as a canonical list of triples. */
async function statements(document: jsonld.JsonLdDocument): Promise<string[]> {
  const options = {
    algorithm: 'RDFC-1.0',
    documentLoader: served,
    safe: true,
    format: 'application/n-quads',
  };
  const quads = (await jsonld.canonize(document, options as jsonld.Options.Normalize)) as unknown as string;
  return quads.trimEnd().split('\n');
}

describe('the JSON-LD context', () => {
  it.each(files)('expands %s and compacts it back to the same document', async (file) => {
    const document = read(file);
    const expanded = await jsonld.expand(document, {
      documentLoader: served,
      safe: true,
    } as jsonld.Options.Expand);
    const compacted = await jsonld.compact(expanded, CONTEXT_URL as unknown as jsonld.ContextDefinition, {
      documentLoader: served,
    });
    expect(compacted).toEqual(withoutNulls(document));
  });

  it.each(files)('defines every term of %s', async (file) => {
    // Safe mode throws if a processor would silently drop a member.
    const options = { documentLoader: strict, safe: true } as jsonld.Options.Expand;
    await expect(
      jsonld.expand(withoutNulls(read(file)) as jsonld.JsonLdDocument, options),
    ).resolves.toHaveLength(1);
  });

  it.each(files)('converts %s to the same canonical RDF for every order of members', async (file) => {
    const document = read(file);
    const reversed = Object.fromEntries(Object.entries(document).reverse()) as jsonld.JsonLdDocument;
    const all = await statements(document);
    expect(all.length).toBeGreaterThan(15);
    expect(await statements(reversed)).toEqual(all);
  });

  it('expresses in PROV-O who did what and when, with node ids and types', async () => {
    const all = await statements(read('genuine/decision-whole.json'));
    const at = 'https://proof.example/verify/evt_whole';
    const type = (node: string, name: string) => `<${at}${node}> <${RDF_TYPE}> <${PROV}${name}> .`;
    const link = (from: string, name: string, to: string) => `<${at}${from}> <${PROV}${name}> <${at}${to}> .`;
    expect(all).toEqual(
      expect.arrayContaining([
        type('', 'Entity'),
        type('#event', 'Activity'),
        type('#actor', 'SoftwareAgent'),
        type('#approval-1', 'Activity'),
        type('#approver-1', 'Person'),
        link('', 'wasGeneratedBy', '#event'),
        link('', 'wasInfluencedBy', '#approval-1'),
        link('#event', 'wasAssociatedWith', '#actor'),
        link('#approval-1', 'wasAssociatedWith', '#approver-1'),
        `<${at}#event> <${PROV}startedAtTime> "2026-01-31T11:58:00.250Z"^^<http://www.w3.org/2001/XMLSchema#dateTime> .`,
        `<${at}#actor> <https://schema.org/name> "Refund assistant" .`,
      ]),
    );
  });

  it('qualifies the association of the decision with its agent', async () => {
    const all = await statements(read('genuine/decision-whole.json'));
    const at = 'https://proof.example/verify/evt_whole';
    const association = all
      .map((line) => new RegExp(`^<${at}#event> <${PROV}qualifiedAssociation> (\\S+) \\.$`).exec(line)?.[1])
      .find((node) => node !== undefined);
    expect(all).toContain(`${association} <${PROV}agent> <${at}#actor> .`);
    expect(all).toContain(`${association} <${RDF_TYPE}> <${PROV}Association> .`);
  });

  it('keeps free-form JSON unchanged, including nulls', async () => {
    const all = await statements(read('genuine/decision-whole.json'));
    const input = all.find((line) => line.includes(`<${VOCABULARY}input>`))!;
    expect(input).toContain('\\"note\\":null');
    expect(input).toContain('rdf-syntax-ns#JSON');
  });

  it('contains no data of a person whose id is withheld', async () => {
    const all = (await statements(read('partial/decision-nothing-disclosed.json'))).join('\n');
    for (const secret of ['agent-7', 'Refund assistant', 'Ada Keller', '4250', 'Within policy'])
      expect(all).not.toContain(secret);
    expect(all).toContain('#actor> ');
  });

  it('protects its terms from being redefined by a later context', async () => {
    const document = {
      ...read('genuine/decision-whole.json'),
      '@context': [CONTEXT_URL, { evidence: 'https://x.example/e' }],
    };
    await expect(
      jsonld.expand(document as jsonld.JsonLdDocument, { documentLoader: served }),
    ).rejects.toMatchObject({ details: { code: 'protected term redefinition' } });
  });

  it('keeps unknown members', async () => {
    const document = { ...read('genuine/decision-whole.json'), addedLater: 'kept' };
    const expanded = JSON.stringify(
      await jsonld.expand(document as jsonld.JsonLdDocument, { documentLoader: served }),
    );
    expect(expanded).toContain(`"${VOCABULARY}addedLater":[{"@value":"kept"}]`);
  });
});
