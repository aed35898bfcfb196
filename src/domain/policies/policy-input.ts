// What a caller says of a policy, and the rules for it.
import { isActionPattern } from '@countersign/proof-kit/action-pattern';
import { GUARDS } from '@countersign/proof-kit/decision';
import { demandNames, GUARD_OF, type PolicyGuards } from '@countersign/proof-kit/effective-policy';
import { AUTHENTICATIONS } from '@countersign/proof-kit/guards';
import { MAX_SEAT_COUNT } from '@countersign/proof-kit/quorum';
import { z } from 'zod';
import { EvidenceLevel, PolicyScope } from '../../db/generated/prisma/enums.ts';
import { plainText } from '../../lib/text.ts';
import { actionTypeRule } from './action-type.ts';

/** The guards that a policy can set, by the names used in findings and in `enforced`. */
const settable = GUARDS.filter((guard) => guard !== 'policy_existence');

const groupId = z.string().regex(/^grp_\w{1,60}$/, 'must be the id of an approval group');

const seat = z.object({
  group: groupId
    .nullish()
    .describe('The id of the approval group that can fill it, `grp_…`. Default: any person.'),
  count: z
    .int()
    .min(1)
    .max(MAX_SEAT_COUNT)
    .describe(`The number of different people, 1 to ${MAX_SEAT_COUNT}.`),
  authentication: z
    .enum(AUTHENTICATIONS)
    .nullish()
    .describe(
      'The least authentication of its approvers. Default: SESSION with a group, otherwise ASSERTED.',
    ),
});

const policyGuards = z
  .object({
    minimumEvidenceLevel: z
      .enum(EvidenceLevel)
      .nullish()
      .describe('The level below which nothing is sealed.'),
    humanReviewForAi: z.boolean().nullish().describe('Whether a person must approve decisions of an AI.'),
    riskThreshold: z
      .number()
      .min(0)
      .max(1)
      .nullish()
      .describe('From 0 to 1. Decisions with a higher risk score require a person.'),
    riskRequired: z
      .boolean()
      .nullish()
      .describe('Whether a decision without a risk score counts as the riskiest.'),
    dualApproval: z
      .boolean()
      .nullish()
      .describe('Whether two different people must approve. Approvals by machines do not count.'),
    approverAuthentication: z
      .enum(AUTHENTICATIONS)
      .nullish()
      .describe('The least authentication that an approver needs.'),
    passkeyAgeHours: z
      .int()
      .min(0)
      .max(720)
      .nullish()
      .describe(
        'How many hours before the approval a passkey must have been registered to count as SIGNED, 0 to 720. Default: 0.',
      ),
    quorum: z.array(seat).min(1).max(5).nullish().describe('1 to 5 seats, which different people must fill.'),
    quorumOrdered: z
      .boolean()
      .nullish()
      .describe('Whether a later seat waits until the earlier ones are filled.'),
    escalateAfterSeconds: z
      .int()
      .min(60)
      .max(604_800)
      .nullish()
      .describe(
        'How many seconds after the recording open seats escalate, 60 to 604,800. Requires `quorum` and `escalateToGroup`.',
      ),
    escalateToGroup: groupId
      .nullish()
      .describe('The id of the approval group that can fill open seats after the escalation, `grp_…`.'),
    enforced: z
      .array(z.enum(settable, `must be one of ${settable.join(', ')}`))
      .nullish()
      .describe('Names of guards, such as `dual_approval`, that narrower scopes can only tighten.'),
  })
  .check(({ value, issues }) => {
    const needs = (
      path: 'quorumOrdered' | 'escalateAfterSeconds' | 'escalateToGroup',
      other: keyof PolicyGuards,
    ) => {
      if (!value[path] || value[other] != null) return;
      const message = `needs ${other}`;
      issues.push({ code: 'custom', message, path: [path], input: value[path] });
    };
    needs('quorumOrdered', 'quorum');
    needs('escalateAfterSeconds', 'quorum');
    needs('escalateAfterSeconds', 'escalateToGroup');
    needs('escalateToGroup', 'escalateAfterSeconds');
    for (const [i, guard] of (value.enforced ?? []).entries()) {
      if (guard === 'quorum' && value.quorum != null) continue;
      if (demandNames.some((name) => GUARD_OF[name] === guard && value[name] != null)) continue;
      const message = `${guard} can only be enforced by a policy that sets it`;
      issues.push({ code: 'custom', message, path: ['enforced', i], input: guard });
    }
  });

const name = plainText(256).trim().min(1);
const actionPattern = plainText(256)
  .check(actionTypeRule)
  .refine(isActionPattern, 'must be an action type, a prefix followed by .*, or *');
/** A country is two ISO 3166 letters. A region has the name that centers use in their settings. */
const place = plainText(64).trim().min(1).nullish();

export const createPolicyInput = z.object({
  scope: z
    .enum(PolicyScope)
    .describe('CENTER for the current center. Other scopes require a platform admin.'),
  country: place.describe(
    'The country in which the policy holds, as in the settings of centers. Only for COUNTRY and REGION.',
  ),
  region: place.describe(
    'The region in which the policy holds, as in the settings of centers. Only for REGION.',
  ),
  name: name.describe('The name that people see.'),
  actionPattern: actionPattern.describe(
    'The action types that it covers: a type, a prefix followed by `.*`, or `*`.',
  ),
  guards: policyGuards.describe(
    'What the policy requires of decisions. Guards that are omitted are inherited from wider policies.',
  ),
});

export const updatePolicyInput = z.object({
  id: z.string().describe('The id of the policy, `pol_…`.'),
  expectedVersion: z
    .int()
    .nullish()
    .describe(
      'The version that you read. If the policy has another one by now, the change is refused with CONFLICT.',
    ),
  name: name.nullish().describe('The name that people see.'),
  actionPattern: actionPattern
    .nullish()
    .describe('The action types that it covers: a type, a prefix followed by `.*`, or `*`.'),
  guards: policyGuards.nullish().describe('What the policy requires from now on; replaces all its guards.'),
  active: z.boolean().nullish().describe('Whether it applies. An inactive policy is ignored.'),
});

/** A policy that is being written, or a change of one. */
export const policyDraftInput = createPolicyInput.omit({ name: true }).extend({
  id: z.string().nullish().describe('The id of the policy that it changes, `pol_…`. Default: a new policy.'),
});

export type PolicyDraftInput = z.infer<typeof policyDraftInput>;
export type CreatePolicyInput = z.infer<typeof createPolicyInput>;
export type UpdatePolicyInput = z.infer<typeof updatePolicyInput>;
