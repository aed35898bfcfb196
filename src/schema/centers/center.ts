import type { listInstructors } from '../../domain/centers/instructors.ts';
import type { CenterView } from '../../domain/centers/view.ts';
import { builder } from '../builder.ts';
import { CenterStatus, TenantType, Vertical } from '../enums.ts';
import { onlyProperties } from '../exposed.ts';

export const Center = builder.objectRef<CenterView>('Center').implement({
  description: 'A tenant: an isolated organization with its own members and records.',
  fields: onlyProperties({
    id: ['Int', 'The id of the center, a positive integer.'],
    name: ['String', 'The name that people see.'],
    centerDomain: ['String', "The domain slug: unique, and part of the center's URLs."],
    tenantType: [TenantType, 'What kind of tenant it is.'],
    status: [CenterStatus, 'Whether its members can enter.'],
    vertical: [Vertical, 'Its line of business.'],
    description: ['String', 'What the center says about itself in public; may be empty.'],
    logo: ['String', 'The URL of the logo; empty if there is none.'],
    customDomain: ['String?', 'The custom domain of a white-label center; null if there is none.'],
    createdAt: ['DateTime', 'When the center was created, in UTC.'],
    memberCount: ['Int', 'The number of memberships with the status ACTIVE.'],
    settings: [
      'JSON',
      'The settings. Parents and children see only timezone, country, partnerCountry, region and guardianBooking. `partnerCountry` applies if the center has no country.',
    ],
  }),
});

export const CenterInfo = builder
  .objectRef<Pick<CenterView, 'name' | 'centerDomain' | 'description' | 'logo' | 'vertical'>>('CenterInfo')
  .implement({
    description: 'Public information about an active center.',
    fields: onlyProperties({
      name: ['String', 'The name that people see.'],
      centerDomain: ['String', "The domain slug: unique, and part of the center's URLs."],
      description: ['String', 'What the center says about itself in public; may be empty.'],
      logo: ['String', 'The URL of the logo; empty if there is none.'],
      vertical: [Vertical, 'Its line of business.'],
    }),
  });

export const Instructor = builder
  .objectRef<Awaited<ReturnType<typeof listInstructors>>[number]>('Instructor')
  .implement({
    description: 'An instructor of a center.',
    fields: onlyProperties({
      id: ['ID', 'The id of the person, a UUID.'],
      name: ['String', 'The name of the person, as in their profile.'],
      role: ['String', 'Always INSTRUCTOR, as the list contains no other role.'],
      specialties: ['[String]', 'What the instructor specializes in; may be empty.'],
    }),
  });
