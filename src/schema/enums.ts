import { storedEnum } from './enum-types.ts';

/** Enumerations used by several folders; others are defined in their own folder. */
export const ActorRole = storedEnum('ActorRole', 'The role of a person in a center.', {
  ADMIN: 'Manages the center: people, API keys, policies and settings.',
  INSTRUCTOR: 'Teaches or treats in the center and works with its records and workflows.',
  PARENT: 'Represents children of the center and books for them.',
  CHILD: 'A child or client of the center, represented by a parent.',
});

export const MembershipStatus = storedEnum(
  'MembershipStatus',
  'The status of a membership. Only ACTIVE gives access to the center.',
  {
    INVITED: 'Invited by mail, not yet answered.',
    PENDING: 'Accepted by the person; waiting for the approval of an ADMIN.',
    ACTIVE: 'Active; uses a seat of the subscription.',
    SUSPENDED: 'The person cannot enter until the membership is reinstated.',
    REJECTED: 'Declined by the person, or rejected or withdrawn by the center. Final.',
    ENDED: 'Ended for good. The person can be invited again.',
  },
);

export const Vertical = storedEnum('Vertical', 'The line of business of a center.', {
  commerce: 'Shops, retail and wholesale trade.',
  education: 'Schools, courses and further education.',
  interior: 'Interior design, furnishing and rebuilding.',
  mentoring: 'Mentoring and coaching of people.',
  pharmacy: 'Pharmacies and the sale of medicines.',
  rehabilitation: 'Therapy after an illness or an injury.',
  welfare: 'Social services and care.',
});

export const TenantType = storedEnum('TenantType', 'What kind of tenant a center is.', {
  CENTER: 'An ordinary center with its own members and records.',
  PROGRAM: 'A program run by the platform.',
  WHITE_LABEL: "A center under the customer's own name and domain.",
  WORKSPACE: 'A workspace for a team.',
});

export const CenterStatus = storedEnum('CenterStatus', 'Whether the members of a center can enter it.', {
  ACTIVE: 'In use: its members can enter.',
  SUSPENDED: 'Suspended. No member can enter; all data is kept.',
  INACTIVE: 'Permanently closed. Records are kept.',
});

export const EvidenceLevel = storedEnum(
  'EvidenceLevel',
  'The evidence level of a decision record. It can only rise.',
  {
    DRAFT: 'Recorded and chained, with little evidence.',
    DOCUMENTED: 'The reasons and circumstances are documented.',
    AUDIT_READY: 'Complete and sealed; the content cannot change.',
  },
);

export const ChainDomain = storedEnum('ChainDomain', 'The hash chains of a center.', {
  platform: 'Platform records: attendances, certificates, workflows.',
  proof: 'Sealed decisions of the Proof API.',
  audit: 'The audit log of the center.',
  journal: 'The journal: recordings, approvals, outcomes and erasures.',
});
