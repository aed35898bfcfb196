import type * as enums from '../db/generated/prisma/enums.ts';
import { builder } from './builder.ts';
import { worded } from './enum-values.ts';

/** The enumerations that several nouns share; one that belongs to a single noun stands in its folder. */
export const ActorRole = builder.enumType('ActorRole', {
  description: 'What a person is in a center.',
  values: worded<enums.ActorRole>({
    ADMIN: 'Runs the center: its people, keys, policies and settings.',
    INSTRUCTOR: 'Teaches or treats in the center, and works with its records and workflows.',
    PARENT: 'Is served by the center on behalf of children, for whom they book.',
    CHILD: 'Is served by the center, and looked after by a parent.',
  }),
});

export const MembershipStatus = builder.enumType('MembershipStatus', {
  description: 'Where a membership stands; only ACTIVE opens the center.',
  values: worded<enums.MembershipStatus>({
    INVITED: 'Asked by mail; the person has not answered.',
    PENDING: 'The person accepted; an ADMIN has still to let them in.',
    ACTIVE: 'The person is in, and takes a seat of the subscription.',
    SUSPENDED: 'Locked out for a while.',
    REJECTED: 'Declined or turned down, which is final.',
    ENDED: 'Over for good; it cannot be taken up again.',
  }),
});

export const Vertical = builder.enumType('Vertical', {
  description: 'The line of business of a center.',
  values: worded<enums.Vertical>({
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
  values: worded<enums.TenantType>({
    CENTER: 'An ordinary center.',
    PROGRAM: 'A program that the platform itself runs.',
    WHITE_LABEL: "A center under the customer's own name and domain.",
    WORKSPACE: 'A workspace for a team.',
  }),
});

export const CenterStatus = builder.enumType('CenterStatus', {
  description: 'Whether a center is open, closed for a while, or ended (INACTIVE).',
  values: worded<enums.CenterStatus>({
    ACTIVE: 'Open to its members.',
    SUSPENDED: 'Closed for a while; nobody gets in, everything is kept.',
    INACTIVE: 'Ended for good; its records are kept.',
  }),
});

export const EvidenceLevel = builder.enumType('EvidenceLevel', {
  description: 'How far a decision record has come on its way to proof; it only rises.',
  values: worded<enums.EvidenceLevel>({
    DRAFT: 'Recorded and chained; the evidence is still thin.',
    DOCUMENTED: 'The reasons and circumstances are documented.',
    AUDIT_READY: 'Complete and sealed: its content never changes again.',
  }),
});

export const ChainDomain = builder.enumType('ChainDomain', {
  description:
    "Which of a center's hash chains: records of the platform, sealed decisions, or the audit log.",
  values: worded<enums.ChainDomain>({
    platform: 'Records of what is done on the platform: attendances, certificates, workflows.',
    proof: 'Sealed decisions of the Proof API.',
    audit: 'The audit log: who did what in the center.',
    journal:
      'What must not vanish before a decision is sealed: recordings, approvals, outcomes and erasures.',
  }),
});
