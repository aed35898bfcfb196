import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredInputField,
} from 'graphql';
import type { ForeignTenant } from '../helpers/foreign.ts';
import { samples } from '../isolation/walk.ts';
import type { Field } from './everything.ts';

export type Input = GraphQLArgument | GraphQLInputField;

const byName: Record<string, (tenant: ForeignTenant) => unknown> = {
  actionPattern: () => 'refund.*',
  actionType: () => 'refund.grant',
  adminActorId: (tenant) => tenant.actorId,
  adminEmail: () => 'someone@example.test',
  approved: () => true,
  argumentsDigest: () => `sha256:${'0'.repeat(64)}`,
  assertion: () => null,
  attendeeId: (tenant) => tenant.actorId,
  bookingId: (tenant) => tenant.ids['bkg'],
  centerId: (tenant) => tenant.centerId,
  checkpointId: (tenant) => tenant.ids['chk'],
  childId: (tenant) => tenant.instructorId,
  country: () => 'DE',
  cron: () => '0 8 * * 1',
  currency: () => 'EUR',
  dpuId: (tenant) => tenant.ids['dpu'],
  email: () => 'someone@example.test',
  emailDomains: () => ['example.test'],
  endDate: () => '2031-01-07',
  endMinute: () => 600,
  enforced: () => [],
  eventId: (tenant) => tenant.ids['evt'],
  eventPattern: () => 'payment.*',
  eventType: () => 'payment.completed',
  events: () => ['*'],
  executionId: (tenant) => tenant.ids['exe'],
  expiresInSeconds: () => 60,
  forActorId: (tenant) => tenant.actorId,
  guardianId: (tenant) => tenant.actorId,
  instructorId: (tenant) => tenant.instructorId,
  learnerId: (tenant) => tenant.actorId,
  logo: () => 'https://example.test/logo.png',
  membershipId: (tenant) => tenant.ids['mbr'],
  newPassword: () => 'correct horse battery',
  parametersSchema: () => ({ type: 'object' }),
  password: () => 'correct horse battery',
  planId: (tenant) => tenant.ids['plan'] ?? tenant.mark,
  scopes: () => ['proof:read'],
  slotMinutes: () => 30,
  steps: () => [{ name: 'Wait', kind: 'wait', seconds: 60 }],
  subdomain: () => 'some-place',
  timezone: () => 'Europe/Berlin',
  token: () => 'x'.repeat(43),
  type: () => 'payment.completed',
  types: () => ['center.updated'],
  url: () => 'https://example.test/hook',
  webhookId: (tenant) => tenant.ids['whk'],
  workflowId: (tenant) => tenant.ids['wf'],
};

/** The kind of an `id`, by the field's result or name. */
const ids: [RegExp, string][] = [
  [/webhook/i, 'whk'],
  [/execution/i, 'exe'],
  [/workflow/i, 'wf'],
  [/evidence/i, 'evd'],
  [/decisionEvent/i, 'evt'],
  [/policy/i, 'pol'],
  [/apiKey/i, 'key'],
  [/scimToken/i, 'scm'],
  [/booking/i, 'bkg'],
  [/session/i, 'ses'],
  [/checkpoint|consistency/i, 'chk'],
  [/passkey/i, 'ses'],
  [/dpu|proofState/i, 'dpu'],
];

function idFor(tenant: ForeignTenant, field: Field): string {
  if (/center/i.test(field.name)) return String(tenant.centerId);
  // Not the ADMIN who makes the calls: their account would be suspended.
  if (/person|platformAdmin/i.test(field.name)) return tenant.instructorId;
  return tenant.ids[ids.find(([pattern]) => pattern.test(field.name))?.[1] ?? 'dpu']!;
}

/** Members of which an input requires one of several. */
const alsoNeeded = new Set([
  'ConfirmIdentityInput.password',
  'ReauthenticateInput.password',
  'SignInInput.email',
  'CreateWorkflowInput.eventPattern',
  'UpdateWorkflowInput.eventPattern',
]);

export const childrenOf = (type: GraphQLInputType): GraphQLInputField[] => {
  const named = getNamedType(type);
  return isInputObjectType(named) ? Object.values(named.getFields()) : [];
};

export const isList = (type: GraphQLInputType) => isListType(getNullableType(type));

/** A valid value of an argument, including everything on the path to a place in it. */
export function sampleFor(
  tenant: ForeignTenant,
  field: Field,
  input: Input,
  path: readonly string[],
): unknown {
  const type = getNamedType(input.type);
  const one = () => {
    if (isEnumType(type)) return type.getValues()[0]!.name;
    if (input.name === 'id') return type.name === 'Int' ? tenant.centerId : idFor(tenant, field);
    if (input.name in byName) return byName[input.name]!(tenant);
    if (/domain$/i.test(input.name)) return tenant.domain;
    if (!isInputObjectType(type)) return type.name === 'ID' ? idFor(tenant, field) : samples[type.name];
    const wanted = childrenOf(input.type).filter(
      (child) =>
        isRequiredInputField(child) || child.name === path[0] || alsoNeeded.has(`${type.name}.${child.name}`),
    );
    return Object.fromEntries(
      wanted.map((child) => [child.name, sampleFor(tenant, field, child, path.slice(1))]),
    );
  };
  const value = one();
  return isList(input.type) && !Array.isArray(value) ? [value] : value;
}
