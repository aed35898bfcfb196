import type { listInstructors } from '../../domain/centers/instructors.ts';
import type { CenterView } from '../../domain/centers/view.ts';
import { builder } from '../builder.ts';
import { CenterStatus, TenantType, Vertical } from '../enums.ts';
import { onlyProperties } from '../exposed.ts';

export const Center = builder.objectRef<CenterView>('Center').implement({
  description: 'A tenant: an isolated organization with its own members and records.',
  fields: onlyProperties({
    id: ['Int', 'The id of the center.'],
    name: ['String', 'The display name.'],
    centerDomain: ['String', 'The slug used in URLs.'],
    tenantType: [TenantType, 'The kind of tenant.'],
    status: [CenterStatus, 'The status.'],
    vertical: [Vertical, 'The vertical.'],
    description: ['String', 'The public description.'],
    logo: ['String', 'The URL of the logo, or empty.'],
    customDomain: ['String?', 'The custom domain of a white-label center.'],
    createdAt: ['DateTime', 'When it was created.'],
    memberCount: ['Int', 'The number of active memberships.'],
    settings: [
      'JSON',
      'The settings. Parents and children see only timezone, country, partnerCountry and region. `partnerCountry` applies if the center has no country.',
    ],
  }),
});

export const CenterInfo = builder
  .objectRef<Pick<CenterView, 'name' | 'centerDomain' | 'description' | 'logo' | 'vertical'>>('CenterInfo')
  .implement({
    description: 'Public information about an active center.',
    fields: onlyProperties({
      name: ['String', 'The display name.'],
      centerDomain: ['String', 'The slug used in URLs.'],
      description: ['String', 'The description.'],
      logo: ['String', 'The URL of the logo, or empty.'],
      vertical: [Vertical, 'The vertical.'],
    }),
  });

export const Instructor = builder
  .objectRef<Awaited<ReturnType<typeof listInstructors>>[number]>('Instructor')
  .implement({
    description: 'An instructor of a center.',
    fields: onlyProperties({
      id: ['ID', 'The id of the person.'],
      name: ['String', 'The name of the person.'],
      role: ['String', 'Always INSTRUCTOR.'],
      specialties: ['[String]', 'The specialties.'],
    }),
  });
