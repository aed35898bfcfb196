import { Button, Group, Input, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { turnOffNotifications, turnOnNotifications, useNotifications } from '../../browser/notify.ts';
import { graphql, type VariablesOf } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useSession } from '../../session/session-context.ts';
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
      title="Notifications about requests"
      hint="What comes within a few minutes is in one mail. Mails link to the console and never contain a button that approves."
    >
      <Loaded of={read} skeleton={<Lines count={3} />} small>
        {({ notificationSettings: { mail } }) => (
          <Stack gap="lg">
            <Radio.Group label="Mail" value={chosen ?? mail} onChange={(value) => void choose(value)}>
              <Stack gap={10} mt={6}>
                {choices.map(([value, label, description]) => (
                  <Radio key={value} value={value} label={label} description={description} />
                ))}
              </Stack>
            </Radio.Group>
            <InBrowser />
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}

const states = {
  on: 'This browser shows new requests that you can decide while a tab of the console is open. It shows the center and the title, which may appear on your lock screen.',
  off: 'This browser can show new requests that you can decide while a tab of the console is open. It would show the center and the title, which may appear on your lock screen.',
  denied:
    'Your browser blocks notifications of this site. Allow them in its settings, then turn them on here.',
  unsupported: 'This browser cannot show notifications here.',
};

/** Notifications of this browser, which the person turns on here and allows in the browser. */
function InBrowser() {
  const { me } = useSession();
  const { isOn, permission } = useNotifications(me.actorId);
  const state = isOn ? 'on' : permission === 'denied' || permission === 'unsupported' ? permission : 'off';
  return (
    <Group justify="space-between" align="center" wrap="wrap" gap="sm">
      <Input.Wrapper
        label="Browser"
        labelElement="div"
        description={states[state]}
        style={{ flex: '1 1 18rem' }}
      />
      {state === 'on' && (
        <Button variant="default" onClick={() => turnOffNotifications(me.actorId)}>
          Turn off
        </Button>
      )}
      {state === 'off' && (
        <Button variant="default" onClick={() => void turnOnNotifications(me.actorId)}>
          Turn on
        </Button>
      )}
    </Group>
  );
}
