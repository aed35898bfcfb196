import type { listInstructors } from '../../domain/centers/instructors.ts';
import type { CenterView } from '../../domain/centers/view.ts';
import { builder } from '../builder.ts';
import { CenterStatus, TenantType, Vertical } from '../enums.ts';

export const Center = builder.objectRef<CenterView>('Center').implement({
  description: 'A tenant: an isolated organisation with its own members and records.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Names the center.' }),
    name: t.exposeString('name', { description: 'What it is called.' }),
    centerDomain: t.exposeString('centerDomain', { description: 'The slug that names it in addresses.' }),
    tenantType: t.expose('tenantType', { type: TenantType, description: 'What kind of tenant it is.' }),
    status: t.expose('status', { type: CenterStatus, description: 'Whether it is open.' }),
    vertical: t.expose('vertical', { type: Vertical, description: 'Its line of business.' }),
    description: t.exposeString('description', { description: 'What it says about itself to everybody.' }),
    logo: t.exposeString('logo', { description: 'The address of its logo; empty without one.' }),
    customDomain: t.exposeString('customDomain', {
      nullable: true,
      description: 'The address of its own that a white-label center has.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    memberCount: t.exposeInt('memberCount', { description: 'How many active memberships it has.' }),
    settings: t.expose('settings', {
      type: 'JSON',
      description:
        'Its settings. Whoever is served by the center sees only timezone, country, partnerCountry and region. `partnerCountry` is the country of the partner, which counts where the center names none.',
    }),
  }),
});

export const CenterInfo = builder
  .objectRef<Pick<CenterView, 'name' | 'centerDomain' | 'description' | 'logo' | 'vertical'>>('CenterInfo')
  .implement({
    description: 'What anybody may know of an open center.',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'What it is called.' }),
      centerDomain: t.exposeString('centerDomain', { description: 'The slug that names it in addresses.' }),
      description: t.exposeString('description', { description: 'What it says about itself.' }),
      logo: t.exposeString('logo', { description: 'The address of its logo; empty without one.' }),
      vertical: t.expose('vertical', { type: Vertical, description: 'Its line of business.' }),
    }),
  });

export const Instructor = builder
  .objectRef<Awaited<ReturnType<typeof listInstructors>>[number]>('Instructor')
  .implement({
    description: 'Somebody who teaches or treats in a center.',
    fields: (t) => ({
      id: t.exposeID('id', { description: 'Names the person.' }),
      name: t.exposeString('name', { description: 'What the person is called.' }),
      role: t.exposeString('role', { description: 'Always INSTRUCTOR.' }),
      specialties: t.exposeStringList('specialties', { description: 'What the person is good at.' }),
    }),
  });
