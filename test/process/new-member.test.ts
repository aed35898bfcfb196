import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeClient, type Parsed, type TestClient } from '../helpers/client.ts';
import { bareEnvironment, type ServerProcess, startServer } from '../helpers/process.ts';
import { decision } from '../proof/decisions.ts';
import { type ProofStage, proofStage } from '../proof/stage.ts';

const NODE_OPTIONS = `--import ${new URL('./new-member.ts', import.meta.url).href}`;

let stagehand: TestApp;
let stage: ProofStage;
let server: ServerProcess;
let api: TestClient;

beforeAll(async () => {
  stagehand = await startTestApp();
  stage = await proofStage(stagehand);
  const { url: DATABASE_URL, checkpointFile: CHECKPOINT_FILE } = stagehand.database;
  server = await startServer({ env: { ROLE: 'api', DATABASE_URL, CHECKPOINT_FILE, NODE_OPTIONS } });
  api = makeClient(server.url);
}, 120_000);
afterAll(async () => {
  await server?.end();
  await stagehand.close();
});

/** The verdict of `npm run verify` on a document, with the new member or as the command is. */
async function verdictOf(document: Parsed, knowsMember = true): Promise<string> {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), 'new-member-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'proof.json');
  await writeFile(file, JSON.stringify(document));
  const args = ['src/commands/verify.ts', file, '--keys-from', server.url];
  const env = bareEnvironment(knowsMember ? { NODE_OPTIONS } : {});
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, env }, (_, out, err) =>
      resolve(`${out}${err}`.replace(`${file}: `, '').trim()),
    );
  });
}

const urgencyIn = (document: Parsed): unknown => document.evidence.event.urgency;

const post = async (path: string, body: unknown): Promise<Parsed> =>
  (await api.call('POST', `/v1${path}`, { token: stage.key, body })).body.data;
const exported = async (id: string): Promise<Parsed> =>
  (await api.call('GET', `/v1/decision-events/${id}/export`, { token: stage.key })).body;
const published = async (id: string): Promise<Parsed> => (await api.fetch(`/verify/${id}/proof.json`)).json();

test('one line in the table and one in the input add a member to everything that is proven', async () => {
  const { id } = await post('/decision-events', { ...decision, urgency: 0.75 });
  const approver = { id: 'boss', type: 'human' };
  await post(`/decision-events/${id}/approvals`, { approver, result: 'approved' });
  const whole = await exported(id);
  expect(urgencyIn(whole)).toBe(0.75);
  expect(await verdictOf(whole)).toMatch(/^proven: sealed at .*; signed by/);
  expect(await verdictOf(whole, false)).toMatch(/^refuted: .* discloses urgency, which is unknown$/);

  const withheld = await published(id);
  expect(urgencyIn(withheld)).toBeUndefined();
  expect(await verdictOf(withheld)).toMatch(/^partial: withheld: .* 2 of urgency and tags and riskScore/);
  const disclose = 'mutation { updateCenter(input: { proof: { disclose: ["urgency"] } }) { id } }';
  expect((await api.graphql(disclose, {}, stage.token)).errors).toBeUndefined();
  const disclosed = await published(id);
  expect(urgencyIn(disclosed)).toBe(0.75);
  expect(await verdictOf(disclosed)).toMatch(/^partial: withheld: .* 1 of tags and riskScore/);

  const erase = `mutation ($id: ID!) {
    eraseDecision(input: { eventId: $id, fields: ["urgency"], reason: "asked to" }) { erased { path } } }`;
  const { data } = await api.graphql(erase, { id }, stage.token);
  expect(data.eraseDecision.erased).toEqual([{ path: 'urgency' }]);
  const { rows } = await stagehand.superuser.query('SELECT content FROM decision_event WHERE id = $1', [id]);
  expect(rows).toEqual([{ content: expect.not.objectContaining({ urgency: expect.anything() }) }]);
  const erased = await exported(id);
  expect(urgencyIn(erased)).toBeUndefined();
  expect(await verdictOf(erased)).toMatch(/^partial: erased: urgency; erased by /);
});
