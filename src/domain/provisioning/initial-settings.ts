import type { ActorRole, Vertical } from '../../db/generated/prisma/enums.ts';

interface VerticalSettings {
  /** What the roles are called in this line of business. */
  roles: Record<ActorRole, string>;
  /** How long a booked session usually takes. */
  sessionMinutes: number;
  features: string[];
}

const verticals: Record<Vertical, VerticalSettings> = {
  rehabilitation: {
    roles: { ADMIN: 'Director', INSTRUCTOR: 'Therapist', PARENT: 'Guardian', CHILD: 'Patient' },
    sessionMinutes: 50,
    features: ['therapy plans', 'progress notes', 'booking'],
  },
  welfare: {
    roles: { ADMIN: 'Director', INSTRUCTOR: 'Case worker', PARENT: 'Family contact', CHILD: 'Client' },
    sessionMinutes: 60,
    features: ['case files', 'support plans', 'booking'],
  },
  education: {
    roles: { ADMIN: 'Principal', INSTRUCTOR: 'Teacher', PARENT: 'Parent', CHILD: 'Student' },
    sessionMinutes: 45,
    features: ['courses', 'attendance', 'certificates'],
  },
  pharmacy: {
    roles: { ADMIN: 'Owner', INSTRUCTOR: 'Pharmacist', PARENT: 'Caregiver', CHILD: 'Patient' },
    sessionMinutes: 15,
    features: ['dispensing records', 'consultations', 'stock reviews'],
  },
  commerce: {
    roles: { ADMIN: 'Shop owner', INSTRUCTOR: 'Sales staff', PARENT: 'Account holder', CHILD: 'Customer' },
    sessionMinutes: 30,
    features: ['orders', 'refund decisions', 'price reviews'],
  },
  mentoring: {
    roles: { ADMIN: 'Coordinator', INSTRUCTOR: 'Mentor', PARENT: 'Sponsor', CHILD: 'Mentee' },
    sessionMinutes: 60,
    features: ['goals', 'session notes', 'booking'],
  },
  interior: {
    roles: { ADMIN: 'Studio lead', INSTRUCTOR: 'Designer', PARENT: 'Client', CHILD: 'Resident' },
    sessionMinutes: 90,
    features: ['projects', 'design approvals', 'site visits'],
  },
};

const permissions: Record<ActorRole, string[]> = {
  ADMIN: [
    'members',
    'decisions',
    'workflows',
    'api keys',
    'webhooks',
    'policies',
    'subscription',
    'settings',
  ],
  INSTRUCTOR: ['decisions', 'workflows', 'own availability', 'bookings'],
  PARENT: ['bookings', 'children'],
  CHILD: ['bookings'],
};

/** What a center begins with: its clock, its roles and the settings of its line of business. */
export function initialSettings(vertical: Vertical, given: Record<string, string> = {}) {
  const { roles, sessionMinutes, features } = verticals[vertical];
  return {
    timezone: 'UTC',
    roles: Object.entries(roles).map(([role, label]) => ({
      role,
      label,
      permissions: permissions[role as ActorRole],
    })),
    vertical: { sessionMinutes, features },
    ...given,
  };
}
