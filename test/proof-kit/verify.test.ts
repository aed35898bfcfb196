import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ExportDocument,
  type ExportVerdict,
  isExportDocument,
  verifyExport,
  verifyExportText,
} from '../../src/proof-kit/index.ts';
import { makeVectors, type VectorManifest } from '../vectors/make.ts';

const folder = new URL('../vectors/', import.meta.url);
const readVector = (file: string) => readFileSync(new URL(file, folder), 'utf8');
const manifest = JSON.parse(readVector('manifest.json')) as VectorManifest;
const { trustedKeys } = manifest;
const failing = (verdict: ExportVerdict) =>
  verdict.steps.filter((step) => step.verdict === 'fail').map((step) => step.step);
const decision = () => JSON.parse(readVector('genuine/decision.json')) as ExportDocument;

describe('export vectors', () => {
  it('are those that the script makes', async () => {
    for (const [file, value] of await makeVectors()) {
      expect(JSON.parse(readVector(file)), file).toEqual(JSON.parse(JSON.stringify(value)));
    }
  });

  it.each(manifest.genuine)('$file is $assurance', async ({ file, assurance }) => {
    const verdict = await verifyExportText(readVector(file), { trustedKeys });
    expect(failing(verdict)).toEqual([]);
    expect(verdict.assurance).toBe(assurance);
    expect(verdict.valid).toBe(assurance !== 'partial');
  });

  it.each(manifest.falsified)('$file fails at $fails', async ({ file, fails }) => {
    const verdict = await verifyExportText(readVector(file), { trustedKeys });
    expect(failing(verdict)).toEqual(fails);
    expect(verdict).toMatchObject({ valid: false, assurance: 'none' });
  });
});

describe('the verdict', () => {
  it('has all six steps in order, each with words', async () => {
    for (const document of [decision(), null]) {
      const { steps } = await verifyExport(document);
      expect(steps.map((step) => step.step)).toEqual([
        'document',
        'hash',
        'link',
        'content',
        'inclusion',
        'signature',
      ]);
      for (const step of steps) {
        expect(step.title).toMatch(/^[A-Z]/);
        expect(step.explanation).toMatch(/^[A-Z].*\.$/s);
      }
    }
  });

  it('tells a key the reader trusts from one the document brings along', async () => {
    expect((await verifyExport(decision())).assurance).toBe('signed');
    expect((await verifyExport(decision(), { trustedKeys })).assurance).toBe('trusted');
    expect(failing(await verifyExport(decision(), { trustedKeys: [] }))).toEqual(['signature']);
    const stranger = readVector('falsified/checkpoint-signed-by-a-stranger.json');
    expect((await verifyExportText(stranger)).assurance).toBe('signed');
  });

  it('holds a named trusted key to its name', async () => {
    const [key] = trustedKeys;
    const named = (name: string) => verifyExport(decision(), { trustedKeys: [{ ...key!, name }] });
    expect((await named(decision().publicKey!.name)).assurance).toBe('trusted');
    expect(failing(await named('proof.example/chains/13/proof'))).toEqual(['signature']);
  });

  it('refuses a bad signature of one trusted key beside a good one of another', async () => {
    const stranger = JSON.parse(
      readVector('falsified/checkpoint-signed-by-a-stranger.json'),
    ) as ExportDocument;
    const document = decision();
    const strangersLine = stranger.inclusion!.checkpoint.split('\n\n')[1]!;
    const both = [...trustedKeys, { publicKey: stranger.publicKey!.publicKey }];
    document.inclusion!.checkpoint += strangersLine;
    expect((await verifyExport(document, { trustedKeys: both })).assurance).toBe('trusted');
    // One character in the middle of the stranger's signature, past the key id.
    const position = document.inclusion!.checkpoint.length - 40;
    const text = document.inclusion!.checkpoint;
    const other = text[position] === 'A' ? 'B' : 'A';
    document.inclusion!.checkpoint = text.slice(0, position) + other + text.slice(position + 1);
    expect((await verifyExport(document, { trustedKeys })).assurance).toBe('trusted');
    expect(failing(await verifyExport(document, { trustedKeys: both }))).toEqual(['signature']);
  });

  it('needs no key in the document when the reader brings one', async () => {
    const document = decision();
    delete document.publicKey;
    expect((await verifyExport(document, { trustedKeys })).assurance).toBe('trusted');
    expect((await verifyExport(document)).assurance).toBe('consistent');
  });

  it('accepts readable parts that leave private fields out', async () => {
    const document = decision();
    delete document.evidence.event!.action.input;
    delete document.evidence.event!.aiContext;
    expect((await verifyExport(document, { trustedKeys })).valid).toBe(true);
  });

  it('reports a malformed trusted key as a failed signature', async () => {
    expect(failing(await verifyExport(decision(), { trustedKeys: [{ publicKey: '?' }] }))).toEqual([
      'signature',
    ]);
  });

  it('notices a change of any single character of the hashed content', async () => {
    const source = decision();
    // By code points: half a surrogate pair would not even count as text.
    const content = [...source.record.content!];
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: content.length - 1 }), fc.string(), async (at, put) => {
        const changed = content.with(at, put).join('');
        fc.pre(changed !== source.record.content);
        const verdict = await verifyExport({ ...source, record: { ...source.record, content: changed } });
        expect(failing(verdict)).toContain('hash');
      }),
    );
  });
});

describe('garbage', () => {
  it('of any kind gets a failing verdict, never an exception', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withSparseArray: true }),
        async (value) => {
          expect((await verifyExport(value)).valid).toBe(false);
        },
      ),
    );
  });

  it('as text gets a failing verdict', async () => {
    for (const text of ['', '{', 'null', '[]', '"x"', '['.repeat(100_000) + ']'.repeat(100_000)]) {
      expect(failing(await verifyExportText(text))).toEqual(['document']);
    }
  });

  it('in any field of a genuine document gets a verdict', async () => {
    const paths: string[][] = [];
    const walk = (value: unknown, path: string[]) => {
      if (path.length > 0) paths.push(path);
      if (typeof value === 'object' && value !== null) {
        for (const [key, member] of Object.entries(value)) walk(member, [...path, key]);
      }
    };
    walk(decision(), []);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), fc.anything(), async (path, value) => {
        const document = decision();
        let holder = document as unknown as Record<string, Record<string, never>>;
        for (const key of path.slice(0, -1)) holder = holder[key] as unknown as typeof holder;
        holder[path.at(-1)!] = value as never;
        const verdict = await verifyExport(document, { trustedKeys });
        expect(verdict.steps).toHaveLength(6);
      }),
      { numRuns: 500 },
    );
  });

  it('with depth, getters and proxies gets a verdict', async () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`);
    const document = decision();
    document.evidence.event!.action.input = deep as never;
    expect(failing(await verifyExport(document, { trustedKeys }))).toEqual(['content']);
    const trap = () => {
      throw new Error('no');
    };
    const hostile = new Proxy({}, { get: trap, has: trap, ownKeys: trap, getOwnPropertyDescriptor: trap });
    expect(failing(await verifyExport(hostile))).toEqual(['document']);
  });

  it('inherited from a prototype does not count as a field', () => {
    expect(isExportDocument(Object.create(decision()))).toBe(false);
  });
});
