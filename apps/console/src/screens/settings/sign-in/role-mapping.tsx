import { Button, Fieldset, Select, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { useRoleNames } from '../../../session/session-context.ts';
import { memberRoles } from '../../../text/roles.ts';
import type { ProviderValues } from './provider.ts';
import { RowButton } from './row-button.tsx';
import classes from './rows.module.css';

const MAX_ROWS = 200;

/** Roles by group. The first entry that matches counts, so the order matters. */
export function RoleMapping({ form }: { form: UseFormReturnType<ProviderValues> }) {
  const roles = useRoleNames();
  const { roleByGroup } = form.values;
  const isMapped = roleByGroup.length > 0;
  const choices = memberRoles.map((value) => ({ value, label: roles.one(value) }));
  const move = (from: number, to: number) => form.reorderListItem('roleByGroup', { from, to });
  return (
    <Fieldset legend="Roles">
      <Stack gap={12}>
        <p className={classes.note}>
          {isMapped
            ? 'The first match wins, at every sign-in. Administrators with emergency access and the last administrator keep their role.'
            : 'Without entries, the role is set when a person first signs in. Afterwards you change it on People.'}
        </p>
        <ol className={classes.list} aria-label="Roles by group">
          {roleByGroup.map((_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries are identified by their number
            <li key={i} className={classes.row}>
              <TextInput
                label="Group at the provider"
                aria-label={`Entry ${i + 1}: group`}
                placeholder="countersign-admins"
                maxLength={255}
                {...form.getInputProps(`roleByGroup.${i}.group`)}
              />
              <Select
                label="Role"
                aria-label={`Entry ${i + 1}: role`}
                allowDeselect={false}
                data={choices}
                {...form.getInputProps(`roleByGroup.${i}.role`)}
              />
              <span className={classes.buttons}>
                <RowButton label={`Move entry ${i + 1} up`} disabled={i === 0} onClick={() => move(i, i - 1)}>
                  <IconArrowUp size={16} />
                </RowButton>
                <RowButton
                  label={`Move entry ${i + 1} down`}
                  disabled={i === roleByGroup.length - 1}
                  onClick={() => move(i, i + 1)}
                >
                  <IconArrowDown size={16} />
                </RowButton>
                <RowButton
                  label={`Remove entry ${i + 1}`}
                  color="red"
                  onClick={() => form.removeListItem('roleByGroup', i)}
                >
                  <IconTrash size={16} />
                </RowButton>
              </span>
            </li>
          ))}
        </ol>
        <div>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            disabled={roleByGroup.length >= MAX_ROWS}
            onClick={() => form.insertListItem('roleByGroup', { group: '', role: 'INSTRUCTOR' })}
          >
            Map a group
          </Button>
        </div>
        <Select
          label={isMapped ? 'Role of people in none of these groups' : 'Role of new people'}
          description={
            isMapped
              ? 'With “None”, they cannot sign in.'
              : 'An invitation has its own role. With “None”, other new people cannot sign in.'
          }
          allowDeselect={false}
          data={[{ value: '', label: 'None' }, ...choices]}
          {...form.getInputProps('defaultRole')}
        />
      </Stack>
    </Fieldset>
  );
}
