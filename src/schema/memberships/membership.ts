import { findMember } from '../../domain/memberships/list.ts';
import type { MemberView } from '../../domain/memberships/view.ts';
import { builder } from '../builder.ts';
import { ActorRole, MembershipStatus } from '../enums.ts';

const MembershipRef = builder.objectRef<MemberView>('Membership');

export const Membership = builder.node(MembershipRef, {
  id: { resolve: ({ id }) => id, description: 'The global id.' },
  loadOne: (id, ctx) => findMember(ctx, id),
  description: 'Binds a person to a center with a role.',
  fields: (t) => ({
    centerId: t.exposeInt('centerId', { description: 'The center it belongs to.' }),
    centerName: t.exposeString('centerName', { description: "The center's name." }),
    centerDomain: t.exposeString('centerDomain', { description: "The center's domain slug." }),
    role: t.expose('role', { type: ActorRole, description: 'What the person is there.' }),
    status: t.expose('status', { type: MembershipStatus, description: 'Where the membership stands.' }),
    specialties: t.exposeStringList('specialties', { description: 'What an instructor is good at.' }),
    invitedAt: t.expose('invitedAt', { type: 'DateTime', description: 'When the person was invited.' }),
    activatedAt: t.expose('activatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was approved, if it has been.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended, if it has.',
    }),
    actorId: t.exposeID('actorId', { description: 'Names the person.' }),
    name: t.exposeString('name', {
      description: "The person's name; the address they were invited by until they accept.",
    }),
    email: t.exposeString('email', { nullable: true, description: "The person's address." }),
    phone: t.exposeString('phone', {
      nullable: true,
      description: "The person's phone number; not shown until they accept.",
    }),
  }),
});
