import type * as enums from '../../db/generated/prisma/enums.ts';
import {
  getNotificationSettings,
  notificationSettingsInput,
  type NotificationSettings as Settings,
  saveNotificationSettings,
} from '../../domain/notifications/settings.ts';
import { builder } from '../builder.ts';
import { describedValues } from '../enum-values.ts';
import { inputType } from '../input-types.ts';

const MailFrequency = builder.enumType('MailFrequency', {
  description: 'How often a person gets mail about decisions that wait for them.',
  values: describedValues<keyof typeof enums.MailFrequency>({
    IMMEDIATELY:
      'At once, about decisions that need a group of the person, and a reminder before they expire.',
    DAILY: 'Once a day, about everything that the person can approve. No mail when nothing waits.',
    OFF: 'No mail about decisions at all.',
  }),
});

const NotificationSettings = builder.objectRef<Settings>('NotificationSettings').implement({
  description: 'How a person is notified of decisions that wait for them, in all centers.',
  fields: (t) => ({
    mail: t.expose('mail', { type: MailFrequency, description: 'How often mail comes.' }),
  }),
});

const NotificationSettingsInput = inputType('NotificationSettingsInput', notificationSettingsInput, {
  description: 'How the person wants to be notified of decisions.',
  types: { mail: MailFrequency },
});

builder.queryField('notificationSettings', (t) =>
  t.field({
    type: NotificationSettings,
    description: "The person's own settings; IMMEDIATELY unless they chose otherwise.",
    authScopes: { access: { signedIn: true } },
    resolve: (_, __, ctx) => getNotificationSettings(ctx),
  }),
);

builder.mutationField('notificationSettings', (t) =>
  t.field({
    type: NotificationSettings,
    description: 'Changes how the person is notified of decisions that wait for them.',
    authScopes: { access: { signedIn: true } },
    args: {
      input: t.arg({ type: NotificationSettingsInput, required: true, description: 'The new settings.' }),
    },
    resolve: (_, { input }, ctx) => saveNotificationSettings(ctx, input),
  }),
);
