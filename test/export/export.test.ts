import { type ProofDocument, parseVerifierKey, type Trust, verifyProof } from '@countersign/proof-kit';
import { describe, expect, test } from 'vitest';
import { exportDocument } from '../../src/domain/decisions/prove/export/export.ts';
import type { DpuPlace } from '../../src/domain/dpus/append-dpu.ts';
import { recordDpu } from '../../src/domain/dpus/append-dpu.ts';
import { appendRecords, numbered, rewriteFrom, tamper } from '../checkpoints/chains.ts';
import { testApp } from '../helpers/app.ts';
import { makeMember, makeStage } from '../helpers/world.ts';
import { asSystem, sealDecision } from './world.ts';

const PUBLIC_URL = 'https://proof.example';

async function stage(env: Record<string, string> = { PUBLIC_URL }) {
  const running = await testApp({ env });
  const { center, token } = await makeStage(running.app);
  const ctx = asSystem(running.app, center.id);
  const trusted = async () => {
    const { keys } = (await (await running.fetch('/.well-known/countersign-keys.json')).json()) as {
      keys: { vkey: string }[];
    };
    return { keys: keys.map(({ vkey }) => parseVerifierKey(vkey)) };
  };
  return { ...running, center, token, ctx, trusted };
}

const verdictOf = async (document: ProofDocument, trust?: Trust) => {
  const { verdict, reason } = await verifyProof(JSON.stringify(document), trust);
  return `${verdict}: ${reason}`;
};
const PROVEN = expect.stringMatching(/^proven: (?:sealed at .*; )?signed by proof\.example\+/);

describe('GET /dpu/{id}/export', () => {
  test('returns a self-contained proof of a platform record', async () => {
    const { call, token, ctx, trusted } = await stage();
    await recordDpu(ctx, { content: 'first' });
    const content = 'Attendance confirmed; "quoted", Übung, 👍\n';
    const metadata = { room: 'B2', seats: [[3, 4], [5]], checkedBy: null };
    const { dpuId, hash, previousHash } = await recordDpu(ctx, {
      content,
      metadata,
      referenceType: 'lms-attendance',
    });
    const answer = await call('GET', `/dpu/${dpuId}/export`, { token });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/ld\+json/);
    expect(answer.body).toMatchObject({
      '@context': `${PUBLIC_URL}/schemas/decision-proof/v2`,
      '@type': 'DecisionProof',
      version: '2.0',
      evidence: {
        id: dpuId,
        decisionId: dpuId,
        status: 'pending',
        evidenceLevel: 'DRAFT',
        content,
        chain: {
          hash: `sha256:${hash}`,
          previousHash: `sha256:${previousHash}`,
          index: 1,
          domain: 'platform',
        },
      },
      verification: {
        hashAlgorithm: 'SHA-256',
        chainDomain: 'platform',
        chainIndex: 1,
        chainHash: `sha256:${hash}`,
        previousHash: `sha256:${previousHash}`,
        verifyUrl: `${PUBLIC_URL}/verify/${dpuId}`,
      },
      record: { content, previousHash },
      inclusion: { leafIndex: 1, treeSize: 2 },
    });
    expect(await verdictOf(answer.body, await trusted())).toEqual(PROVEN);
  });

  test('returns a sealed decision with its approvals and policy as sealed', async () => {
    const { app, center, call, token, trusted } = await stage();
    const sealed = await sealDecision(app, center.id);
    const { body } = await call('GET', `/dpu/${sealed.dpuId}/export`, { token });
    expect(body.evidence).toMatchObject({
      id: sealed.evidenceId,
      decisionId: sealed.decisionId,
      status: 'sealed',
      evidenceLevel: 'AUDIT_READY',
      event: { type: 'ai_recommendation', actor: { id: 'agent-7', type: 'ai_agent' } },
      approval: { approver: { id: 'person-1' }, result: 'approved', by: { kind: expect.any(String) } },
      approvals: [{ reason: 'Within policy.' }, {}],
      chain: { index: 0, previousHash: null, domain: 'proof' },
      responsibility: {
        who: { actor: { id: 'agent-7', name: 'Refund assistant' } },
        what: { type: 'refund.grant' },
      },
    });
    expect(body.verification.verifyUrl).toBe(`${PUBLIC_URL}/verify/${sealed.eventId}`);
    expect(await verdictOf(body, await trusted())).toEqual(PROVEN);

    const single = await sealDecision(app, center.id, 1);
    const other = await call('GET', `/dpu/${single.dpuId}/export`, { token });
    expect(other.body.evidence.approvals).toHaveLength(1);
    expect(await verdictOf(other.body, await trusted())).toEqual(PROVEN);
  });

  test('returns a valid proof for every record of a longer chain, before and after later checkpoints', async () => {
    const { app, ctx, trusted } = await stage();
    const keys = await trusted();
    const places: DpuPlace[] = [];
    for (const content of numbered(0, 9)) {
      const place = await recordDpu(ctx, { content });
      places.push(place);
      expect(await verdictOf(await exportDocument(ctx, place.dpuId), keys)).toEqual(PROVEN);
    }
    await appendRecords(app, places[0]!.chainId, numbered(9, 300));
    for (const { dpuId } of places) {
      expect(await verdictOf(await exportDocument(ctx, dpuId), keys)).toEqual(PROVEN);
    }
  });

  test('is rejected for unknown ids, other tenants and other roles', async () => {
    const { app, call, token, ctx, center } = await stage();
    const { dpuId } = await recordDpu(ctx, { content: 'mine' });
    const code = async (id: string, as?: string) =>
      (await call('GET', `/dpu/${id}/export`, { token: as })).body.error?.code;
    const other = await makeStage(app);
    expect(await code('dpu_none', token)).toBe('DPU_NOT_FOUND');
    expect(await code(dpuId, other.token)).toBe('DPU_NOT_FOUND');
    expect(await code(dpuId)).toBe('UNAUTHORIZED');
    expect(await code(dpuId, (await makeMember(app, center.id, 'PARENT')).token)).toBe('INSUFFICIENT_ROLE');
    expect(await code(dpuId, (await makeMember(app, center.id, 'INSTRUCTOR')).token)).toBeUndefined();
  });
});

describe('broken records are not exported', () => {
  const chain = async () => {
    const running = await stage();
    const places: DpuPlace[] = [];
    for (const content of numbered(0, 6)) places.push(await recordDpu(running.ctx, { content }));
    const status = async (i: number) => {
      const { status, body } = await running.call('GET', `/dpu/${places[i]!.dpuId}/export`, {
        token: running.token,
      });
      return [status, body.error?.code ?? (body as ProofDocument).inclusion !== undefined];
    };
    return { ...running, places, chainId: places[0]!.chainId, status, adminUrl: running.database.adminUrl };
  };

  test.each([
    ['content', `content = content || '!'`],
    ['timestamp', `timestamp = '2020-01-01T00:00:00.000Z'`],
    ['hash', `hash = repeat('a', 64)`],
    ['link', `previous_hash = repeat('b', 64)`],
  ])('a changed %s returns 422 CHAIN_BROKEN', async (_, change) => {
    const { adminUrl, chainId, status } = await chain();
    await tamper(adminUrl, [
      `UPDATE ledger_record SET ${change} WHERE chain_id = $1 AND index = 3`,
      [chainId],
    ]);
    expect(await status(3)).toEqual([422, 'CHAIN_BROKEN']);
    expect(await status(0)).toEqual([200, false]);
  });

  test('a forged record that is consistent with its neighbors is detected by the signed tree', async () => {
    const { adminUrl, chainId, status } = await chain();
    expect(await status(5)).toEqual([200, true]);
    await rewriteFrom(adminUrl, chainId, 3);
    expect(await status(4)).toEqual([422, 'CHAIN_BROKEN']);
    expect(await status(1)).toEqual([200, true]);
  });
});

test('without a checkpoint file the export has no signed inclusion', async () => {
  const { ctx, logged } = await stage({ PUBLIC_URL, CHECKPOINT_FILE: '/' });
  const { dpuId } = await recordDpu(ctx, { content: 'alone' });
  const document = await exportDocument(ctx, dpuId);
  expect(document.inclusion).toBeUndefined();
  expect(await verdictOf(document)).toBe('partial: missing: inclusion');
  expect(logged.join('')).toContain('the checkpoint file cannot be read');
});
