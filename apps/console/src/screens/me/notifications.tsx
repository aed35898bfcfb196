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
  ['IMMEDIATELY', 'At once', 'When a decision needs one of your approval groups, and before it expires.'],
  ['DAILY', 'Once a day', 'Everything that you can approve, in one mail. No mail if nothing is pending.'],
  ['OFF', 'Never', 'Pending decisions are only in the console.'],
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
      title="Mail about pending decisions"
      hint="Mails link to the console. They never contain a button that approves."
    >
      <Loaded of={read} skeleton={<Lines count={3} />} small>
        {({ notificationSettings: { mail } }) => (
          <Radio.Group
            aria-label="Mail about pending decisions"
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
