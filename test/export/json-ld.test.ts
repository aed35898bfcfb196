import jsonld from 'jsonld';
import { expect, test } from 'vitest';
import { recordDpu } from '../../src/domain/ledger/append-dpu.ts';
import type { ExportDocument } from '../../src/proof-kit/index.ts';
import { testApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';
import { asSystem, sealDecision } from './world.ts';

/** JSON-LD has no null: what says nothing is not there. JSON literals keep theirs. */
function withoutNulls(value: unknown, key = ''): unknown {
  if (['input', 'output', 'metadata', 'policy'].includes(key)) return value;
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member, name)]));
}

test('exports expand in a JSON-LD processor and come back the same, with the context that the server serves', async () => {
  const { app, call, fetch, config } = await testApp({ env: { PUBLIC_URL: 'http://countersign.example' } });
  const { center, token } = await makeStage(app);
  const sealed = await sealDecision(app, center.id);
  const record = await recordDpu(asSystem(app, center.id), {
    content: '{"@context":"no context","text":"JSON that is only text"}',
    metadata: { '@id': 'kept', nested: [[1], [null]], empty: {} },
    referenceType: 'lms-event',
    referenceId: 'session-1',
  });
  // The public address stands for this server, and for nothing else.
  const documentLoader = async (url: string) => {
    if (!url.startsWith(config.publicUrl)) throw new Error(`unexpected load of ${url}`);
    const response = await fetch(url.slice(config.publicUrl.length));
    expect(response.headers.get('content-type')).toContain('application/ld+json');
    return { documentUrl: url, document: (await response.json()) as jsonld.NodeObject };
  };
  for (const { dpuId } of [sealed, record]) {
    const document = (await call('GET', `/dpu/${dpuId}/export`, { token })).body as ExportDocument;
    const options = { documentLoader, safe: true } as jsonld.Options.Expand;
    const expanded = await jsonld.expand(document as unknown as jsonld.JsonLdDocument, options);
    const context = document['@context'] as unknown as jsonld.ContextDefinition;
    const compacted = await jsonld.compact(expanded, context, { documentLoader });
    expect(compacted).toEqual(withoutNulls(document));
  }
});
