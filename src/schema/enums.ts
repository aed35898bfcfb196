import * as enums from '../db/generated/prisma/enums.ts';
import { builder } from './builder.ts';

/** The enumerations that several nouns share; one that belongs to a single noun stands in its folder. */
export const ActorRole = builder.enumType(enums.ActorRole, {
  name: 'ActorRole',
  description: 'What a person is in a center.',
});

export const MembershipStatus = builder.enumType(enums.MembershipStatus, {
  name: 'MembershipStatus',
  description: 'Where a membership stands; only ACTIVE opens the center.',
});

export const Vertical = builder.enumType(enums.Vertical, {
  name: 'Vertical',
  description: 'The line of business of a center.',
});

export const TenantType = builder.enumType(enums.TenantType, {
  name: 'TenantType',
  description: 'What kind of tenant a center is.',
});

export const CenterStatus = builder.enumType(enums.CenterStatus, {
  name: 'CenterStatus',
  description: 'Whether a center is open, closed for a while, or ended (INACTIVE).',
});

export const EvidenceLevel = builder.enumType(enums.EvidenceLevel, {
  name: 'EvidenceLevel',
  description: 'How far a decision record has come on its way to proof; it only rises.',
});

export const ChainDomain = builder.enumType(enums.ChainDomain, {
  name: 'ChainDomain',
  description:
    "Which of a center's hash chains: records of the platform, sealed decisions, or the audit log.",
});
