import type { listInstructors } from '../../domain/centers/instructors.ts';
import type { CenterView } from '../../domain/centers/view.ts';
import { builder } from '../builder.ts';
import { CenterStatus, TenantType, Vertical } from '../enums.ts';

export const Center = builder.objectRef<CenterView>('Center').implement({
  description: 'A tenant: an isolated organization with its own members and records.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The id of the center.' }),
    name: t.exposeString('name', { description: 'The display name.' }),
    centerDomain: t.exposeString('centerDomain', { description: 'The slug used in URLs.' }),
    tenantType: t.expose('tenantType', { type: TenantType, description: 'The kind of tenant.' }),
    status: t.expose('status', { type: CenterStatus, description: 'The status.' }),
    vertical: t.expose('vertical', { type: Vertical, description: 'The vertical.' }),
    description: t.exposeString('description', { description: 'The public description.' }),
    logo: t.exposeString('logo', { description: 'The URL of the logo, or empty.' }),
    customDomain: t.exposeString('customDomain', {
      nullable: true,
      description: 'The custom domain of a white-label center.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    memberCount: t.exposeInt('memberCount', { description: 'The number of active memberships.' }),
    settings: t.expose('settings', {
      type: 'JSON',
      description:
        'The settings. Parents and children see only timezone, country, partnerCountry and region. `partnerCountry` applies if the center has no country.',
    }),
  }),
});

export const CenterInfo = builder
  .objectRef<Pick<CenterView, 'name' | 'centerDomain' | 'description' | 'logo' | 'vertical'>>('CenterInfo')
  .implement({
    description: 'Public information about an active center.',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'The display name.' }),
      centerDomain: t.exposeString('centerDomain', { description: 'The slug used in URLs.' }),
      description: t.exposeString('description', { description: 'The description.' }),
      logo: t.exposeString('logo', { description: 'The URL of the logo, or empty.' }),
      vertical: t.expose('vertical', { type: Vertical, description: 'The vertical.' }),
    }),
  });

export const Instructor = builder
  .objectRef<Awaited<ReturnType<typeof listInstructors>>[number]>('Instructor')
  .implement({
    description: 'An instructor of a center.',
    fields: (t) => ({
      id: t.exposeID('id', { description: 'The id of the person.' }),
      name: t.exposeString('name', { description: 'The name of the person.' }),
      role: t.exposeString('role', { description: 'Always INSTRUCTOR.' }),
      specialties: t.exposeStringList('specialties', { description: 'The specialties.' }),
    }),
  });
