import { z } from 'zod';
import {
  confirmAvailability,
  confirmAvailabilityInput,
  readAvailability,
  setAvailability,
  setAvailabilityInput,
  type WeeklyRule,
} from '../../domain/centers/availability.ts';
import { type FreeSlot, freeSlots, freeSlotsInput } from '../../domain/centers/calendar.ts';
import { builder } from '../builder.ts';
import { onlyProperties } from '../exposed.ts';
import { inputArg, inputType, nestedInput } from '../input-types.ts';

const WeeklyRuleRef = builder.objectRef<WeeklyRule>('WeeklyRule').implement({
  description: "A period in an instructor's week, in the center's time zone.",
  fields: onlyProperties({
    weekday: ['Int', '1 is Monday, 7 is Sunday.'],
    startMinute: ['Int', 'The start, in minutes after midnight.'],
    endMinute: ['Int', 'The end, in minutes after midnight, at most 1440.'],
    slotMinutes: ['Int', 'The length of a bookable slot in minutes, at least 5.'],
    requested: [
      'Boolean',
      "Whether it waits for the instructor's confirmation, because the instructor works in another center too.",
    ],
  }),
});

const WeeklyRuleInput = nestedInput('WeeklyRuleInput', setAvailabilityInput.shape.rules, {
  description: "A period in an instructor's week, in the center's time zone.",
});

const SetAvailabilityInput = inputType('SetAvailabilityInput', setAvailabilityInput, {
  description: 'The whole week of an instructor, which replaces the present one.',
  types: { rules: WeeklyRuleInput },
});

builder.queryField('availability', (t) =>
  t.field({
    type: [WeeklyRuleRef],
    description: 'The weekly hours of an instructor in the current center.',
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR'], feature: 'booking' } },
    args: {
      instructorId: t.arg.id({
        required: true,
        validate: z.guid(),
        description: 'The id of the instructor, a UUID.',
      }),
    },
    resolve: (_, { instructorId }, ctx) => readAvailability(ctx, String(instructorId)),
  }),
);

builder.queryField('requestedAvailability', (t) =>
  t.field({
    type: [WeeklyRuleRef],
    description: "The hours in the current center that wait for an instructor's confirmation.",
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR'], feature: 'booking' } },
    args: {
      instructorId: t.arg.id({
        required: true,
        validate: z.guid(),
        description: 'The id of the instructor, a UUID.',
      }),
    },
    resolve: (_, { instructorId }, ctx) => readAvailability(ctx, String(instructorId), true),
  }),
);

const ConfirmAvailabilityInput = inputType('ConfirmAvailabilityInput', confirmAvailabilityInput, {
  description: 'The instructor whose requested hours are confirmed.',
});

builder.mutationField('confirmAvailability', (t) =>
  t.field({
    type: [WeeklyRuleRef],
    description:
      'The calling instructor agrees to the hours that the current center asked for; they replace the hours in force. ' +
      'To decline, set other hours.',
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR'], feature: 'booking' } },
    args: inputArg(ConfirmAvailabilityInput, 'The instructor, who must be the caller.'),
    resolve: (_, { input }, ctx) => confirmAvailability(ctx, input),
  }),
);

builder.mutationField('setAvailability', (t) =>
  t.field({
    type: [WeeklyRuleRef],
    description:
      "Replaces an instructor's week in the current center; by an ADMIN or the instructor itself. Hours that an ADMIN sets " +
      'for an instructor who already works in another center wait for confirmAvailability.',
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR'], feature: 'booking' } },
    args: inputArg(SetAvailabilityInput, 'The instructor and all weekly hours.'),
    resolve: (_, { input }, ctx) => setAvailability(ctx, input),
  }),
);

export const FreeSlotRef = builder.objectRef<FreeSlot>('FreeSlot').implement({
  description: 'A time that can be booked with an instructor.',
  fields: onlyProperties({
    startsAt: ['DateTime', 'When the slot begins, in UTC.'],
    endsAt: ['DateTime', 'When the slot ends, in UTC.'],
    instructorId: ['ID', 'The id of the instructor, a UUID.'],
    instructorName: ['String', 'The name of the instructor, as in their profile.'],
  }),
});

const FreeSlotsInput = inputType('FreeSlotsInput', freeSlotsInput, {
  description: 'Which free slots to list.',
});

builder.queryField('availableSlots', (t) =>
  t.field({
    type: [FreeSlotRef],
    description: 'Free slots of a day in a center, earliest first. Requires membership.',
    authScopes: { access: { signedIn: true } },
    args: {
      domain: t.arg.string({ required: true, description: 'The domain slug of the center.' }),
      input: t.arg({
        type: FreeSlotsInput,
        description: 'The day and the instructor. Default: today and all instructors.',
      }),
    },
    resolve: (_, { domain, input }, ctx) => freeSlots(ctx, domain, input ?? {}),
  }),
);
