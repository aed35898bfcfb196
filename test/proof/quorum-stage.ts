import { expect } from 'vitest';
import type { TestApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';
import { makeMember } from '../helpers/world.ts';
import { type ProofStage, proofStage } from './stage.ts';

export type Member = Awaited<ReturnType<typeof makeMember>>;

/** The results of an approval: the last one needed, one of several, and one against a rule. */
export const SEALED = { evidenceLevel: 'AUDIT_READY' };
export const WAITS = { evidenceLevel: 'DOCUMENTED' };
export const violates = (rule: string) => ({
  code: 'POLICY_VIOLATION',
  policy: expect.stringMatching(/^pol_/),
  rule,
});

export const CREATE_POLICY = 'mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { id } }';

/** A center with members, groups and policies that ask for a quorum. */
export async function quorumStage(running: TestApp) {
  const stage: ProofStage = await proofStage(running);
  const { ask } = stage;
  let groups = 0;
  let actions = 0;
  return {
    ...stage,
    member: (role: 'ADMIN' | 'INSTRUCTOR' | 'PARENT' = 'INSTRUCTOR'): Promise<Member> =>
      makeMember(running.app, stage.center.id, role),
    /** Creates a group; returns its id. */
    group: async (...members: Member[]): Promise<string> => {
      const name = `Group ${groups++}`;
      const create = 'mutation ($name: String!) { createGroup(input: { name: $name }) { id } }';
      const { id } = await ask(create, { name });
      const membershipIds = members.map(({ membership }) => membership.id);
      await ask('mutation ($input: SetGroupMembersInput!) { setGroupMembers(input: $input) { id } }', {
        input: { id, membershipIds },
      });
      return id;
    },
    /** Creates a policy for a new action type; returns that type. */
    ruled: async (guards: object): Promise<string> => {
      const actionType = `quorum.${actions++}`;
      const input = { scope: 'CENTER', name: actionType, actionPattern: actionType, guards };
      expect(await ask(CREATE_POLICY, { input })).toEqual({ id: expect.any(String) });
      return actionType;
    },
    recordAction: (type: string, change: object = {}) =>
      stage.record({ action: { type, description: 'Pay' }, ...change }),
    approveAs: ({ token }: { token: string }, eventId: string) =>
      ask(
        'mutation ($input: ApproveDecisionInput!) { approveDecision(input: $input) { evidenceLevel } }',
        { input: { eventId, result: 'approved' } },
        token,
      ),
    exported: async (event: { evidence: { id: string } }): Promise<Parsed> =>
      (await stage.get(`/evidence/${event.evidence.id}/export`)).body,
  };
}

export type QuorumStage = Awaited<ReturnType<typeof quorumStage>>;
