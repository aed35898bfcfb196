import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Catalog } from './endpoint.ts';

const Create = graphql(`
  mutation CreateEndpoint($input: CreateWebhookInput!) { createWebhook(input: $input) { signingSecret webhook { id } } }
`);
const Update = graphql(`
  mutation UpdateEndpoint($input: UpdateWebhookInput!) { updateWebhook(input: $input) { id url events description active } }
`);

interface EndpointFormProps {
  opened: boolean;
  onClose: () => void;
  /** The endpoint to change; a new one without it. */
  of?: { id: string; url: string; description: string; events: string[] };
  onMade?: (id: string, secret: string) => void;
  onChanged?: () => void;
}

export function EndpointForm({ of: endpoint, onMade, onChanged, ...dialog }: EndpointFormProps) {
  const catalog = useRead(Catalog, {}, { pause: !dialog.opened });
  const create = useAction(Create, { quiet: true });
  const update = useAction(Update, { quiet: true, done: 'Saved.' });
  const form = useForm({
    initialValues: {
      url: endpoint?.url ?? '',
      description: endpoint?.description ?? '',
      events: endpoint?.events ?? ['*'],
    },
    validate: {
      url: (value) =>
        /^https?:\/\/\S+$/.test(value.trim()) ? null : 'Enter a full URL starting with https://',
      events: (value) => (value.length > 0 ? null : 'Choose at least one event.'),
    },
  });
  const all = form.values.events.includes('*');
  const save = async ({ url, description, events }: typeof form.values) => {
    const values = { url: url.trim(), description: description.trim(), events: all ? ['*'] : events };
    if (endpoint) {
      const updated = await update.run({ input: { id: endpoint.id, changes: values } });
      // The next time, the form starts with what is saved now.
      if (updated) form.setInitialValues(values);
      return updated;
    }
    const done = await create.run({ input: values });
    if (done) onMade?.(done.createWebhook.webhook.id, done.createWebhook.signingSecret);
    return done;
  };
  return (
    <FormDialog
      {...dialog}
      title={endpoint ? 'Edit endpoint' : 'Add endpoint'}
      size="lg"
      form={form}
      act={endpoint ? update : create}
      save={save}
      draft={`webhook ${endpoint?.id ?? 'new'}`}
      verb={endpoint ? 'Save' : 'Add endpoint'}
      {...(onChanged && { onDone: onChanged })}
    >
      <TextInput
        label="Address"
        placeholder="https://example.com/hooks"
        required
        data-autofocus
        {...form.getInputProps('url')}
      />
      <TextInput label="Description" {...form.getInputProps('description')} />
      <Checkbox
        label="All events, including future types"
        checked={all}
        onChange={({ currentTarget }) => form.setFieldValue('events', currentTarget.checked ? ['*'] : [])}
      />
      {!all && (
        <Checkbox.Group label="Events" {...form.getInputProps('events')}>
          <Stack gap={8} mt={6}>
            {catalog.data?.eventCatalogue.map(({ type, description }) => (
              <Checkbox
                key={type}
                value={type}
                label={<span className="mono">{type}</span>}
                description={description}
              />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </FormDialog>
  );
}
