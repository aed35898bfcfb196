// Names of roles. Each vertical has its own terms for the people it works with.

interface RoleName {
  one: string;
  many: string;
}

const name = (one: string, many = `${one}s`): RoleName => ({ one, many });

const common: Record<string, RoleName> = {
  ADMIN: name('Administrator'),
  INSTRUCTOR: name('Instructor'),
  PARENT: name('Parent'),
  CHILD: name('Child', 'Children'),
  PARTNER_ADMIN: name('Partner administrator'),
  PARTNER_OPERATOR: name('Partner operator'),
};

const byVertical: Record<string, Record<string, RoleName>> = {
  rehabilitation: { INSTRUCTOR: name('Therapist'), PARENT: name('Guardian'), CHILD: name('Patient') },
  welfare: { INSTRUCTOR: name('Case worker'), PARENT: name('Family contact'), CHILD: name('Client') },
  education: { INSTRUCTOR: name('Teacher'), PARENT: name('Parent'), CHILD: name('Student') },
  pharmacy: { INSTRUCTOR: name('Pharmacist'), PARENT: name('Caregiver'), CHILD: name('Patient') },
  commerce: {
    INSTRUCTOR: name('Sales staff', 'Sales staff'),
    PARENT: name('Account holder'),
    CHILD: name('Customer'),
  },
  mentoring: { INSTRUCTOR: name('Mentor'), PARENT: name('Sponsor'), CHILD: name('Mentee') },
  interior: { INSTRUCTOR: name('Designer'), PARENT: name('Client'), CHILD: name('Resident') },
};

export interface RoleNames {
  /** "Therapist", as a label. */
  one: (role: string) => string;
  many: (role: string) => string;
  /** "therapist", within a sentence. */
  oneInText: (role: string) => string;
  manyInText: (role: string) => string;
}

/** The names of the roles in a center of this vertical; the common ones where there is no vertical. */
export function roleNames(vertical?: string | null): RoleNames {
  const of = (role: string) => byVertical[vertical ?? '']?.[role] ?? common[role] ?? name(role, role);
  return {
    one: (role) => of(role).one,
    many: (role) => of(role).many,
    oneInText: (role) => of(role).one.toLowerCase(),
    manyInText: (role) => of(role).many.toLowerCase(),
  };
}

/** The roles that a member of a center can have. */
export const memberRoles = ['ADMIN', 'INSTRUCTOR', 'PARENT', 'CHILD'] as const;
