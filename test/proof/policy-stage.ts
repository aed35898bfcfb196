import { expect } from 'vitest';
import type { TestApp } from '../helpers/app.ts';
import { makeActor, makeToken } from '../helpers/world.ts';
import { proofStage } from './stage.ts';

export const COUNTRY = 'AT';
export const REGION = 'Wien';

export type Scope = 'GLOBAL' | 'COUNTRY' | 'REGION' | 'CENTER';
const CREATE = 'mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { id } }';

/** A center in a country and region, and policies of every scope that cover it. */
export async function policyStage(running: TestApp) {
  const stage = await proofStage(running, { settings: { country: COUNTRY, region: REGION } });
  const root = await makeToken(running.app, (await makeActor(running.app, { platformAdmin: true })).id, null);
  return {
    ...stage,
    /** The token of a platform administrator. */
    root,
    /** Creates a policy in the given scope as a permitted user; returns its id. */
    scopedPolicy: async (
      scope: Scope,
      actionPattern: string,
      guards: object,
      place = {},
    ): Promise<string> => {
      const input = {
        scope,
        name: `${scope} ${actionPattern}`,
        actionPattern,
        guards,
        ...(scope !== 'GLOBAL' && scope !== 'CENTER' && { country: COUNTRY }),
        ...(scope === 'REGION' && { region: REGION }),
        ...place,
      };
      const made = await stage.ask(CREATE, { input }, scope === 'CENTER' ? stage.token : root);
      expect(made).toEqual({ id: expect.any(String) });
      return made.id;
    },
  };
}

export type PolicyStage = Awaited<ReturnType<typeof policyStage>>;

export const known = (approverAuthentication: string, ...enforced: string[]) => ({
  approverAuthentication,
  enforced,
});
