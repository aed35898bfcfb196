import { z } from 'zod';
import * as enums from '../db/generated/prisma/enums.ts';
import { A_PERSON, doc } from '../lib/doc.ts';
import { actorRole, center, membershipStatus, timestamp } from './schemas.ts';

/** The shapes of what partners are shown. */
export const createdCenter = center
  .extend({
    admin: z
      .object({
        email: z.string().meta(doc('An email address.', 'admin@demo.test')),
        membershipId: z.string().meta(doc('The id of the membership.', 'mbr_01k9zq2m0000000000000000m1')),
        status: membershipStatus.describe('The status.'),
      })
      .describe('The invited administrator of the center.'),
  })
  .meta({ id: 'CreatedCenter' });

export const member = z
  .object({
    id: z.string().meta(doc('The id of the membership.', 'mbr_01k9zq2m0000000000000000m1')),
    actorId: z.string().nullable().meta(doc('Null until the person has accepted the invitation.', A_PERSON)),
    name: z.string().meta(doc("The person's name.", 'Kim Novak')),
    email: z.string().nullable().meta(doc('An email address.', 'admin@demo.test')),
    role: actorRole.describe('The role in the center.'),
    status: membershipStatus.describe('The status.'),
    centerId: z.int().meta(doc("The center's number.", 12)),
    centerName: z.string().meta(doc("The center's name.", 'Demo Rehabilitation')),
    centerDomain: z.string().meta(doc("The center's domain slug.", 'demo-rehab')),
    invitedAt: timestamp.describe('When the person was invited.'),
    endedAt: timestamp.nullable().meta(doc('When the membership ended, or null.', null)),
  })
  .meta({ id: 'PartnerMember' });

export const auditEntry = z
  .object({
    id: z.string().meta(doc('The id of the entry.', 'aud_01k9zq2m0000000000000000u1')),
    type: z.string().meta(doc('What happened, one of twelve kinds.', 'membership.moved')),
    actorId: z.string().nullable().meta(doc("The person's id, a UUID.", A_PERSON)),
    actorEmail: z
      .string()
      .nullable()
      .meta(doc('The email address of the person, if it was a person.', 'kim@clinic.example')),
    centerId: z.int().nullable().meta(doc("The center's number.", 12)),
    target: z
      .string()
      .nullable()
      .meta(doc('The id of the changed object.', 'mbr_01k9zq2m0000000000000000m1')),
    detail: z.record(z.string(), z.unknown()).meta(doc('Details.', { to: 'ACTIVE' })),
    ip: z.string().nullable().meta(doc('The IP address of the caller.', '203.0.113.7')),
    occurredAt: timestamp.describe('When it happened.'),
  })
  .meta({ id: 'AuditEntry' });

const amount = z.number().describe('The amount in the smallest currency unit.');
export const dashboard = z
  .object({
    totalCenters: z.int().meta(doc('The number of centers.', 3)),
    totalMembers: z.int().meta(doc('The number of members.', 42)),
    activeToday: z.int().meta(doc('The number of active people today.', 31)),
    revenue: z
      .object({
        currency: z.string().meta(doc('The currency (ISO 4217).', 'EUR')),
        monthToDate: amount.meta(doc('The amount in the smallest currency unit.', 4900)),
        lastMonth: amount.meta(doc('The amount in the smallest currency unit.', 12900)),
        recurringMonthly: amount.meta(doc('The amount in the smallest currency unit.', 14700)),
      })
      .describe("The revenue of the partner's centers."),
  })
  .meta({ id: 'PartnerDashboard' });

export const settings = z.record(z.string(), z.unknown()).meta({ id: 'PartnerSettings' });

export const onboarded = z.object({
  partner: z
    .object({
      id: z.string().meta(doc('The id of the partner.', 'ptn_01k9zq2m0000000000000000p1')),
      name: z.string().meta(doc("The partner's name.", 'Northern Clinics')),
      settings: settings.describe('Settings by name.'),
      createdAt: timestamp.describe('When it was created.'),
    })
    .describe('The new partner.'),
  center: center.describe('The center.'),
  admin: z
    .object({
      actorId: z
        .string()
        .nullable()
        .meta(doc('Null until the person has accepted the invitation.', A_PERSON)),
      email: z.string().meta(doc('An email address.', 'admin@demo.test')),
      name: z.string().meta(doc("The administrator's name.", 'Kim Novak')),
      role: z.enum(enums.PartnerRole).describe('The role in the partner.'),
      membershipId: z.string().meta(doc('The id of the membership.', 'mbr_01k9zq2m0000000000000000m1')),
      status: membershipStatus.describe('The status.'),
    })
    .describe('The invited administrator of the center.'),
});
