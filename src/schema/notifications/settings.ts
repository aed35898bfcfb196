import {
  getNotificationSettings,
  notificationSettingsInput,
  type NotificationSettings as Settings,
  saveNotificationSettings,
} from '../../domain/notifications/settings.ts';
import { builder } from '../builder.ts';
import { storedEnum } from '../enum-types.ts';
import { onlyProperties } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';

const MailFrequency = storedEnum(
  'MailFrequency',
  'How often a person gets mail about requests and questions that they can decide.',
  {
    IMMEDIATELY:
      'At once, about everything that the person can decide, and a reminder before a request expires.',
    DAILY: 'Once a day, about everything that the person can decide. No mail when nothing waits.',
    OFF: 'No mail about requests and questions.',
  },
);

const NotificationSettings = builder.objectRef<Settings>('NotificationSettings').implement({
  description: 'How a person is notified of decisions that wait for them, in all centers.',
  fields: onlyProperties({ mail: [MailFrequency, 'How often decisions are announced by mail.'] }),
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
    args: inputArg(NotificationSettingsInput, 'The settings to use from now on.'),
    resolve: (_, { input }, ctx) => saveNotificationSettings(ctx, input),
  }),
);
