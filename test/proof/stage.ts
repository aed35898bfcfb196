import type { PolicyGuards } from '@countersign/proof-kit/effective-policy';
import { expect } from 'vitest';
import { publicIdOf } from '../../src/domain/api-keys/keys.ts';
import { systemContext } from '../../src/domain/context.ts';
import { createPolicy } from '../../src/domain/policies/edit.ts';
import type { CreatePolicyInput } from '../../src/domain/policies/policy-input.ts';
import type { TestApp } from '../helpers/app.ts';
import { SoftPasskey } from '../helpers/authenticator.ts';
import type { Parsed } from '../helpers/client.ts';
import { type CenterOptions, makeStage } from '../helpers/world.ts';
import { decision } from './decisions.ts';

const APPROVE = 'mutation ($input: ApproveDecisionInput!) { approveDecision(input: $input) { sealedHash } }';

/** A center with a key, and Proof API calls with it. */
export async function proofStage(running: TestApp, options: CenterOptions = {}) {
  const stage = await makeStage(running.app, options);
  const { key } = stage;
  const post = (path: string, body: unknown, headers = {}) =>
    running.call('POST', `/v1${path}`, { token: key, body, headers });
  const get = (path: string) => running.call('GET', `/v1${path}`, { token: key });
  const record = async (change: object = {}) =>
    (await post('/decision-events', { ...decision, ...change })).body.data;
  const approve = (id: string, change: object = {}) =>
    post(`/decision-events/${id}/approvals`, {
      approver: { id: 'boss', type: 'human', name: 'The boss' },
      result: 'approved',
      reason: 'Looks right.',
      ...change,
    });
  /** The value of the only field, or the code and details of the error. */
  const ask = async (
    document: string,
    variables: Record<string, unknown> = {},
    token = stage.token,
  ): Promise<Parsed> => {
    const { data, errors } = await running.graphql(document, variables, token);
    const { code, details } = errors?.[0]?.extensions ?? {};
    return errors ? { code, ...(details as object) } : Object.values(data)[0];
  };
  const { db } = running.app;
  return {
    ...stage,
    ask,
    /** A soft passkey registered for the person of the token. */
    registerPasskey: async (token = stage.token): Promise<SoftPasskey> => {
      const passkey = new SoftPasskey(new URL(running.config.publicUrl).origin);
      const options = await ask('mutation { beginPasskeyRegistration }', {}, token);
      const finish = `mutation ($response: JSON!) {
        finishPasskeyRegistration(input: { name: "Key", response: $response }) { id } }`;
      const registered = await ask(finish, { response: passkey.register(options) }, token);
      expect(registered).toHaveProperty('id');
      return passkey;
    },
    post,
    get,
    record,
    approve,
    /** The id of an API key. */
    keyId: async (apiKey = key): Promise<string> => {
      const where = { publicId: publicIdOf(apiKey)! };
      return (await db.acrossTenants.apiKey.findUniqueOrThrow({ where })).id;
    },
    /** The administrator of the center approves in a session, as the grant of a mandate needs. */
    approveInPerson: (eventId: string, token = stage.token) =>
      ask(APPROVE, { input: { eventId, result: 'approved', reason: 'Looks right.' } }, token),
    events: (type: string) =>
      db.forCenter(stage.center.id).platformEvent.findMany({ where: { type }, orderBy: { id: 'asc' } }),
    audits: (type: string) => db.forCenter(stage.center.id).auditEntry.findMany({ where: { type } }),
    /** A policy of the center itself. */
    policy: (guards: PolicyGuards, actionPattern = '*') =>
      createPolicy(systemContext(running.app, 'test', stage.center.id), {
        scope: 'CENTER',
        name: 'Strict',
        actionPattern,
        guards: guards as CreatePolicyInput['guards'],
      }),
  };
}

export type ProofStage = Awaited<ReturnType<typeof proofStage>>;
