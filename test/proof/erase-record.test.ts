import { describe, expect, test } from 'vitest';
import { execute, makeWorkflow, reaches, text as template } from '../workflows/steps.ts';
import {
  chainsAreValid,
  erase,
  eraseContent,
  exported,
  journal,
  running,
  spellings,
  stage,
  startErasureWorld,
  tracesOf,
  verdictOf,
} from './erasure-world.ts';

startErasureWorld();

describe('a platform record', () => {
  test('loses its content and all copies of it; its hash stays proven', async () => {
    const { admin, token } = stage;
    const made = await running.call('POST', '/dpu/demo', {
      token,
      body: { content: 'mark-content', tags: ['mark-demo-tag'] },
      headers: { 'Idempotency-Key': 'mark-demo-key' },
    });
    const { id } = made.body.data;
    await running.call('PUT', `/dpu/${id}`, { token, body: { metadata: { note: 'mark-note' } } });
    const learn = async (mutation: string) =>
      (await running.graphql(`mutation { ${mutation} { dpuId } }`, {}, token)).data;
    const { recordAttendance } = await learn(
      `recordAttendance(input: {attendeeId: "${admin.actor.id}", sessionRef: "mark-session", method: qr})`,
    );
    const { issueCertificate } = await learn(
      `issueCertificate(input: {learnerId: "${admin.actor.id}", title: "mark-title", courseRef: "mark-course"})`,
    );
    const ids = [id, recordAttendance.dpuId, issueCertificate.dpuId];
    const before = await Promise.all(ids.map((each) => exported(`/dpu/${each}/export`)));
    const contents = before.map((text) => JSON.parse(text).record.content);

    for (const each of ids) {
      const { data, errors } = await eraseContent(each);
      expect(errors).toBeUndefined();
      expect(data.eraseDpuContent).toEqual({
        content: '',
        erasedAt: expect.any(String),
        erasedReason: 'asked to',
        tags: [],
        metadata: {},
      });
      // Erasing again changes nothing.
      expect((await eraseContent(each)).data).toEqual(data);
      const text = await exported(`/dpu/${each}/export`);
      expect(await verdictOf(text)).toBe('partial: erased: content; erased by ADMIN');
      expect(JSON.parse(await exported(`/dpu/${each}`)).data.erasedAt).toBe(data.eraseDpuContent.erasedAt);
      expect(JSON.parse(text)).toMatchObject({
        evidence: { content: '', erasedAt: data.eraseDpuContent.erasedAt },
        erased: [{ path: 'content', at: data.eraseDpuContent.erasedAt, reason: 'asked to' }],
      });
    }
    for (const text of before) expect(await verdictOf(text)).toMatch(/^proven: /);
    const words = ['mark-content', 'mark-demo', 'mark-note', 'mark-session', 'mark-title', 'mark-course'];
    expect(await tracesOf([...words, ...contents.flatMap(spellings)])).toEqual([]);
    await chainsAreValid();
    expect((await journal()).slice(-3).map(({ dpuId, fields }) => [dpuId, fields])).toEqual(
      ids.map((each) => [each, ['content']]),
    );
    expect((await running.call('GET', `/dpu/${id}/verify`, { token })).body.data.valid).toBe(true);
    expect((await running.call('GET', `/dpu/${id}/responsibility`, { token })).status).toBe(200);
    const put = await running.call('PUT', `/dpu/${id}`, { token, body: { evidenceLevel: 'AUDIT_READY' } });
    expect(put.status).toBe(409);
  });

  test('of a workflow run is erased with its steps, and with the decision that the run recorded', async () => {
    const { token } = stage;
    const workflow = await makeWorkflow(running, token, [
      template('say', 'says {{ parameters.who }}'),
      {
        name: 'tell',
        kind: 'emit_event',
        type: 'agent.approval.requested',
        data: {
          decisionId: 'd',
          eventId: 'e',
          agentId: '{{ steps.say.text }}',
          actionType: 'a',
          riskScore: null,
          reason: 'r',
        },
      },
      {
        name: 'decide',
        kind: 'record_decision',
        action: { type: 'a', input: { who: '{{ parameters.who }}' } },
      },
    ]);
    const runs = [];
    for (const who of ['run-one', 'run-two']) {
      const execution = await execute(running, token, workflow, { who });
      runs.push(await reaches(running, token, execution, 'COMPLETED'));
    }
    const [one, two] = runs;
    const recorded = (run: typeof one) => run!.steps[2]!.output as { eventId: string };
    const record = one!.dpuId!;
    expect((await eraseContent(record)).errors).toBeUndefined();
    expect((await erase(recorded(one).eventId)).errors).toBeUndefined();
    expect(await tracesOf(['run-one'])).toEqual([]);
    // Conversely, the record of the run is erased with the decision.
    expect((await erase(recorded(two).eventId, { fields: ['action.input'] })).errors).toBeUndefined();
    expect(await tracesOf(['run-two'])).toEqual([]);
    await chainsAreValid();
  });

  test('of a decision can only be erased through the decision', async () => {
    const { id } = await stage.record();
    const { data } = await running.graphql(`{ decisionEvent(id: "${id}") { dpuId } }`, {}, stage.token);
    await stage.approve(id);
    const { errors } = await eraseContent(data.decisionEvent.dpuId);
    expect(errors?.[0]?.message).toContain('erase the decision');
  });
});
