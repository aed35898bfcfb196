import { type FreeSlot, freeSlots, freeSlotsInput } from '../../domain/centers/calendar.ts';
import { builder } from '../builder.ts';

export { freeSlotsInput };

const FreeSlotRef = builder.objectRef<FreeSlot>('FreeSlot').implement({
  description: 'A time for which an instructor can be booked.',
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'When the free time begins.' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'When it is over.' }),
    instructorId: t.exposeID('instructorId', { description: 'The instructor who has time.' }),
    instructorName: t.exposeString('instructorName', { description: 'The name of the instructor to show.' }),
  }),
});

const FreeSlotsInput = builder
  .inputType('FreeSlotsInput', {
    description: 'Which free times to show.',
    fields: (t) => ({
      date: t.field({
        type: 'Date',
        description: 'The day in the time zone of the center; today unless given.',
      }),
      instructorId: t.id({ description: 'Only those of this instructor.' }),
    }),
  })
  .validate(freeSlotsInput);

builder.queryField('availableSlots', (t) =>
  t.field({
    type: [FreeSlotRef],
    description: 'The free times of a day in a center, for its members, earliest first.',
    authScopes: { access: { signedIn: true } },
    args: {
      domain: t.arg.string({ required: true, description: "The center's domain slug." }),
      input: t.arg({
        type: FreeSlotsInput,
        description: 'The day and the instructor; today and all of them when left out.',
      }),
    },
    resolve: (_, { domain, input }, ctx) => freeSlots(ctx, domain, input ?? {}),
  }),
);
