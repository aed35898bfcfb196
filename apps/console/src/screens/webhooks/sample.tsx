import { Button, Menu } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { Catalog, SendSample } from './endpoint.ts';

/** The example of an event type, sent like any other. */
export function Sample({ webhookId, events }: { webhookId: string; events: string[] }) {
  const read = useRead(Catalog, {});
  const act = useAction(SendSample, { done: 'The sample was sent.' });
  const heard = (type: string) =>
    events.some(
      (pattern) =>
        pattern === '*' ||
        pattern === type ||
        (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
    );
  const types = (read.data?.eventCatalogue ?? []).map(({ type }) => type);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconSend size={16} />} loading={act.busy}>
          Send sample
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {[...types.filter(heard), ...types.filter((type) => !heard(type))].map((type) => (
          <Menu.Item key={type} onClick={() => void act.run({ input: { webhookId, type } })}>
            <span className="mono">{type}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
