import type { ActorRole, Vertical } from '../db/generated/prisma/enums.ts';

/** The names of roles in each line of business. The console has the same ones in `text/roles.ts`. */
export const roleLabels: Record<Vertical, Record<ActorRole, string>> = {
  rehabilitation: { ADMIN: 'Director', INSTRUCTOR: 'Therapist', PARENT: 'Guardian', CHILD: 'Patient' },
  welfare: { ADMIN: 'Director', INSTRUCTOR: 'Case worker', PARENT: 'Family contact', CHILD: 'Client' },
  education: { ADMIN: 'Principal', INSTRUCTOR: 'Teacher', PARENT: 'Parent', CHILD: 'Student' },
  pharmacy: { ADMIN: 'Owner', INSTRUCTOR: 'Pharmacist', PARENT: 'Caregiver', CHILD: 'Patient' },
  commerce: { ADMIN: 'Shop owner', INSTRUCTOR: 'Sales staff', PARENT: 'Account holder', CHILD: 'Customer' },
  mentoring: { ADMIN: 'Coordinator', INSTRUCTOR: 'Mentor', PARENT: 'Sponsor', CHILD: 'Mentee' },
  interior: { ADMIN: 'Studio lead', INSTRUCTOR: 'Designer', PARENT: 'Client', CHILD: 'Resident' },
};

/** The name of a role in mails. An ADMIN is called an administrator everywhere, because that describes the permissions. */
export const roleLabel = (role: ActorRole, vertical: Vertical) =>
  role === 'ADMIN' ? 'Administrator' : roleLabels[vertical][role];
