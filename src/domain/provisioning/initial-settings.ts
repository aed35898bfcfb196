import type { ActorRole, Vertical } from '../../db/generated/prisma/enums.ts';
import { roleLabels } from '../role-labels.ts';

interface VerticalSettings {
  /** The usual length of a booked session. */
  sessionMinutes: number;
  features: string[];
}

const verticals: Record<Vertical, VerticalSettings> = {
  rehabilitation: {
    sessionMinutes: 50,
    features: ['therapy plans', 'progress notes', 'booking'],
  },
  welfare: {
    sessionMinutes: 60,
    features: ['case files', 'support plans', 'booking'],
  },
  education: {
    sessionMinutes: 45,
    features: ['courses', 'attendance', 'certificates'],
  },
  pharmacy: {
    sessionMinutes: 15,
    features: ['dispensing records', 'consultations', 'stock reviews'],
  },
  commerce: {
    sessionMinutes: 30,
    features: ['orders', 'refund decisions', 'price reviews'],
  },
  mentoring: {
    sessionMinutes: 60,
    features: ['goals', 'session notes', 'booking'],
  },
  interior: {
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

/** The initial settings of a center: its time zone, its roles and those of its line of business. */
export function initialSettings(vertical: Vertical, given: Record<string, string> = {}) {
  const { sessionMinutes, features } = verticals[vertical];
  return {
    timezone: 'UTC',
    roles: Object.entries(roleLabels[vertical]).map(([role, label]) => ({
      role,
      label,
      permissions: permissions[role as ActorRole],
    })),
    vertical: { sessionMinutes, features },
    ...given,
  };
}
