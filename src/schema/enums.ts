import type * as enums from '../db/generated/prisma/enums.ts';
import { builder } from './builder.ts';
import { describedValues } from './enum-values.ts';

/** Enumerations used by several folders; others are defined in their own folder. */
export const ActorRole = builder.enumType('ActorRole', {
  description: 'The role of a person in a center.',
  values: describedValues<enums.ActorRole>({
    ADMIN: 'Manages the center: people, API keys, policies and settings.',
    INSTRUCTOR: 'Teaches or treats in the center and works with its records and workflows.',
    PARENT: 'Represents children of the center and books for them.',
    CHILD: 'A child or client of the center, represented by a parent.',
  }),
});

export const MembershipStatus = builder.enumType('MembershipStatus', {
  description: 'The status of a membership. Only ACTIVE gives access to the center.',
  values: describedValues<enums.MembershipStatus>({
    INVITED: 'Invited by mail, not yet answered.',
    PENDING: 'Accepted by the person; waiting for the approval of an ADMIN.',
    ACTIVE: 'Active; uses a seat of the subscription.',
    SUSPENDED: 'Suspended.',
    REJECTED: 'Declined or rejected. Final.',
    ENDED: 'Ended permanently.',
  }),
});

export const Vertical = builder.enumType('Vertical', {
  description: 'The vertical of a center.',
  values: describedValues<enums.Vertical>({
    commerce: 'Shops and trade.',
    education: 'Schools and courses.',
    interior: 'Furnishing and rebuilding.',
    mentoring: 'Mentors and coaching.',
    pharmacy: 'Pharmacies and medicines.',
    rehabilitation: 'Therapy and rehabilitation.',
    welfare: 'Social services and care.',
  }),
});

export const TenantType = builder.enumType('TenantType', {
  description: 'What kind of tenant a center is.',
  values: describedValues<enums.TenantType>({
    CENTER: 'An ordinary center.',
    PROGRAM: 'A program run by the platform.',
    WHITE_LABEL: "A center under the customer's own name and domain.",
    WORKSPACE: 'A workspace for a team.',
  }),
});

export const CenterStatus = builder.enumType('CenterStatus', {
  description: 'The status of a center.',
  values: describedValues<enums.CenterStatus>({
    ACTIVE: 'Active.',
    SUSPENDED: 'Suspended. No member can enter; all data is kept.',
    INACTIVE: 'Permanently closed. Records are kept.',
  }),
});

export const EvidenceLevel = builder.enumType('EvidenceLevel', {
  description: 'The evidence level of a decision record. It can only rise.',
  values: describedValues<enums.EvidenceLevel>({
    DRAFT: 'Recorded and chained, with little evidence.',
    DOCUMENTED: 'The reasons and circumstances are documented.',
    AUDIT_READY: 'Complete and sealed; the content cannot change.',
  }),
});

export const ChainDomain = builder.enumType('ChainDomain', {
  description: 'The hash chains of a center.',
  values: describedValues<enums.ChainDomain>({
    platform: 'Platform records: attendances, certificates, workflows.',
    proof: 'Sealed decisions of the Proof API.',
    audit: 'The audit log of the center.',
    journal: 'The journal: recordings, approvals, outcomes and erasures.',
  }),
});
