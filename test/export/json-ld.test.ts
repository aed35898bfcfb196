import { type ProofDocument, parseVerifierKey, verifyProof } from '@countersign/proof-kit';
import jsonld from 'jsonld';
import { expect, test } from 'vitest';
import { recordDpu } from '../../src/domain/dpus/append-dpu.ts';
import { testApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';
import { asSystem, decisionInput, sealDecision } from './world.ts';

/** JSON-LD has no null: empty members are dropped. JSON literals keep theirs. */
function withoutNulls(value: unknown, key = ''): unknown {
  if (['input', 'output', 'policy', 'signature'].includes(key)) return value;
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member, name)]));
}

async function stage() {
  const running = await testApp({ env: { PUBLIC_URL: 'http://countersign.example' } });
  const { app, fetch, config } = running;
  const { center, token, key } = await makeStage(app);
  // Resolves the public URL to this server, and nothing else.
  const documentLoader = async (url: string) => {
    if (!url.startsWith(config.publicUrl)) throw new Error(`unexpected load of ${url}`);
    const response = await fetch(url.slice(config.publicUrl.length));
    expect(response.headers.get('content-type')).toContain('application/ld+json');
    return { documentUrl: url, document: (await response.json()) as jsonld.NodeObject };
  };
  /** Expanded in safe mode, which throws if anything would be dropped, and compacted again. */
  const expectLossless = async (document: ProofDocument) => {
    const options = { documentLoader, safe: true } as jsonld.Options.Expand;
    const expanded = await jsonld.expand(document as unknown as jsonld.JsonLdDocument, options);
    const context = document['@context'] as unknown as jsonld.ContextDefinition;
    const compacted = await jsonld.compact(expanded, context, { documentLoader });
    expect(compacted).toEqual(withoutNulls(document));
  };
  return { ...running, center, token, key, expectLossless };
}

test('exports of records survive JSON-LD expansion and compaction with the served context', async () => {
  const { app, call, center, token, expectLossless } = await stage();
  const sealed = await sealDecision(app, center.id);
  const record = await recordDpu(asSystem(app, center.id), {
    content: '{"@context":"no context","text":"JSON that is only text"}',
    metadata: { '@id': 'kept', nested: [[1], [null]], empty: {} },
    referenceType: 'lms-event',
    referenceId: 'session-1',
  });
  for (const { dpuId } of [sealed, record]) {
    await expectLossless((await call('GET', `/dpu/${dpuId}/export`, { token })).body);
  }
});

test('exports of evidence survive JSON-LD expansion and compaction with the served context', async () => {
  const { call, fetch, token, key, expectLossless } = await stage();
  const { type, actor, action, aiContext, tags } = decisionInput('refund.grant');
  const body = { type, actor: { ...actor, type: 'human' }, action, aiContext, tags };
  const recorded = (await call('POST', '/v1/decision-events', { token: key, body })).body.data;
  const approval = {
    approver: { id: 'person-1', type: 'human', name: 'Ada' },
    result: 'approved',
    reason: 'Fair.',
  };
  const approved = await call('POST', `/v1/decision-events/${recorded.id}/approvals`, {
    token: key,
    body: approval,
  });
  expect(approved.status, approved.text).toBe(200);
  const answer = await call('GET', `/v1/evidence/${recorded.evidence.id}/export`, { token: key });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.evidence.event.action.input).toEqual(action.input);
  const text = await (await fetch('/.well-known/countersign-keys.txt')).text();
  const keys = [parseVerifierKey(text.trim())];
  expect(await verifyProof(JSON.stringify(answer.body), { keys })).toMatchObject({ verdict: 'proven' });
  await expectLossless(answer.body);

  const decided = await call('POST', '/v1/agents/decide', {
    token: key,
    body: { agent: { id: 'agent-1' }, action: { type: 'note.write', input: { a: [[]] } }, riskScore: 0.1 },
  });
  const { id, status } = decided.body.data.dpu;
  expect(status, decided.text).toBe('sealed');
  const document = (await call('GET', `/dpu/${id}/export`, { token })).body;
  expect(await verifyProof(JSON.stringify(document), { keys })).toMatchObject({ verdict: 'proven' });
  await expectLossless(document);
});
