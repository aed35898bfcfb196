import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { graphql, type VariablesOf } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { Panel } from '../../ui/panel.tsx';
import { Lines, Loaded } from '../../ui/states.tsx';

const Settings = graphql(`query NotificationSettings { notificationSettings { mail } }`);
const Save = graphql(`
  mutation SaveNotificationSettings($input: NotificationSettingsInput!) { notificationSettings(input: $input) { mail } }
`);

type Frequency = VariablesOf<typeof Save>['input']['mail'];

const choices: [Frequency, string, string][] = [
  [
    'IMMEDIATELY',
    'At once',
    'About every request and question that you can decide, and before a request expires.',
  ],
  ['DAILY', 'Once a day', 'Everything that you can decide, in one mail. No mail if nothing is pending.'],
  ['OFF', 'Never', 'Requests and questions are only in the console.'],
];

export function Notifications() {
  const read = useRead(Settings, {});
  const act = useAction(Save, { done: 'Saved.' });
  const [chosen, setChosen] = useState<Frequency>();
  const choose = async (mail: string) => {
    setChosen(mail as Frequency);
    if (!(await act.run({ input: { mail: mail as Frequency } }))) setChosen(undefined);
  };
  return (
    <Panel
      title="Mail about requests"
      hint="What comes within a few minutes is in one mail. Mails link to the console and never contain a button that approves."
    >
      <Loaded of={read} skeleton={<Lines count={3} />} small>
        {({ notificationSettings: { mail } }) => (
          <Radio.Group
            aria-label="Mail about requests"
            value={chosen ?? mail}
            onChange={(value) => void choose(value)}
          >
            <Stack gap={10}>
              {choices.map(([value, label, description]) => (
                <Radio key={value} value={value} label={label} description={description} />
              ))}
            </Stack>
          </Radio.Group>
        )}
      </Loaded>
    </Panel>
  );
}
