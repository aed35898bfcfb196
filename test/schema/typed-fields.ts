import { builder } from '../../src/schema/builder.ts';
import { ActorRole } from '../../src/schema/enums.ts';
import { columnsOf, onlyProperties, orNull, properties } from '../../src/schema/exposed.ts';

// Checked by tsc alone: each line marked with @ts-expect-error is a mistake that must not compile.

interface Guest {
  name: string;
  phone?: string | null;
  role: 'ADMIN' | 'PARENT';
  roles: ('ADMIN' | 'PARENT')[];
}

const guest = () => builder.objectRef<Guest>('Guest');

export const fields = [
  () =>
    guest().implement({
      fields: onlyProperties({
        name: ['String', 'Fits.'],
        phone: ['String?', 'Fits.'],
        role: [orNull(ActorRole), 'Fits.'],
        roles: [[ActorRole], 'Fits.'],
      }),
    }),
  // @ts-expect-error It is no number.
  () => guest().implement({ fields: onlyProperties({ name: ['Int', 'The name.'] }) }),
  // @ts-expect-error It can be null.
  () => guest().implement({ fields: onlyProperties({ phone: ['String', 'The number.'] }) }),
  // @ts-expect-error Any text is no role.
  () => guest().implement({ fields: (t) => properties(t, { name: [ActorRole, 'The role.'] }) }),
  // @ts-expect-error It is no list.
  () => guest().implement({ fields: (t) => properties(t, { role: [[ActorRole], 'The roles.'] }) }),
  // @ts-expect-error There is no such property.
  () => guest().implement({ fields: onlyProperties({ surname: ['String', 'The surname.'] }) }),
  // @ts-expect-error A guest is no row of this table.
  () => guest().implement({ fields: (t) => columnsOf('Session', t, { ip: 'The address.' }) }),
];
