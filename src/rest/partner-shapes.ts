import { z } from 'zod';
import * as enums from '../db/generated/prisma/enums.ts';
import { A_PERSON, doc, example } from '../lib/doc.ts';
import { actorRole, center, ids, membershipStatus, timestamp } from './schemas.ts';

/** The shapes of what partners are shown. */
export const createdCenter = center
  .extend({
    admin: z
      .object({
        email: z.string().meta(example('admin@demo.test')),
        membershipId: z.string().meta(ids.membership),
        status: membershipStatus,
      })
      .meta({
        description: 'The person who was invited to administer the center.',
        graphqlType: 'InvitedAdmin',
      }),
  })
  .meta({ id: 'CreatedCenter', graphqlType: 'Center' });

export const member = z
  .object({
    id: z.string().meta(ids.membership),
    actorId: z.string().nullable().meta(example(A_PERSON)),
    name: z.string().meta(example('Kim Novak')),
    email: z.string().nullable().meta(example('admin@demo.test')),
    role: actorRole.describe('What the person may do in the center.'),
    status: membershipStatus,
    centerId: z.int().meta(example(12)),
    centerName: z.string().meta(example('Demo Rehabilitation')),
    centerDomain: z.string().meta(example('demo-rehab')),
    invitedAt: timestamp,
    endedAt: timestamp.nullable().meta(example(null)),
  })
  .meta({ id: 'PartnerMember' });

export const auditEntry = z
  .object({
    id: z.string().meta(example('aud_01k9zq2m0000000000000000u1')),
    type: z.string().meta(doc('What was done, such as `center.created`.', 'membership.moved')),
    actorId: z.string().nullable().meta(example(A_PERSON)),
    actorEmail: z.string().nullable().meta(example('kim@clinic.example')),
    centerId: z.int().nullable().meta(example(12)),
    target: z.string().nullable().meta(example('mbr_01k9zq2m0000000000000000m1')),
    detail: z.record(z.string(), z.unknown()).meta(example({ to: 'ACTIVE' })),
    ip: z
      .string()
      .nullable()
      .meta(doc('The IP address that the request came from; null for the service.', '203.0.113.7')),
    occurredAt: timestamp,
  })
  .meta({ id: 'AuditEntry', graphqlType: 'PartnerAuditEntry' });

export const dashboard = z
  .object({
    totalCenters: z.int().meta(example(3)),
    totalMembers: z.int().meta(example(42)),
    activeToday: z.int().meta(example(31)),
    revenue: z
      .object({
        currency: z.string().meta(example('EUR')),
        monthToDate: z.number().meta(example(4900)),
        lastMonth: z.number().meta(example(12900)),
        recurringMonthly: z.number().meta(example(14700)),
      })
      .describe("What the partner's centers paid, in the smallest currency unit, such as cents."),
  })
  .meta({ id: 'PartnerDashboard' });

export const settings = z.record(z.string(), z.unknown()).meta({ id: 'PartnerSettings' });

export const onboarded = z
  .object({
    partner: z.object({
      id: z.string().meta(example('ptn_01k9zq2m0000000000000000p1')),
      name: z.string().meta(example('Northern Clinics')),
      settings,
      createdAt: timestamp,
    }),
    center,
    admin: z.object({
      actorId: z.string().nullable().meta(example(A_PERSON)),
      email: z.string().meta(example('admin@demo.test')),
      name: z.string().meta(example('Kim Novak')),
      role: z.enum(enums.PartnerRole),
      membershipId: z.string().meta(ids.membership),
      status: membershipStatus,
    }),
  })
  .meta({ graphqlType: 'OnboardedPartner' });
