import { Button, Fieldset, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { presetOf } from './presets.ts';
import type { ProviderValues } from './provider.ts';
import { RowButton } from './row-button.tsx';
import classes from './rows.module.css';

const MAX_ROWS = 20;

/** Claims that every sign-in must have with these values. */
export function RequiredClaims({ form }: { form: UseFormReturnType<ProviderValues> }) {
  const { requiredClaims, preset } = form.values;
  const placeholderOf = (claim: string) =>
    presetOf(preset)?.claims.find((each) => each.claim === claim)?.placeholder ?? 'Value';
  return (
    <Fieldset legend="Required claims">
      <Stack gap={12}>
        <p className={classes.note}>A sign-in without all of these is refused.</p>
        <ul className={classes.list} aria-label="Required claims">
          {requiredClaims.map(({ claim }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: claims are identified by their number
            <li key={i} className={classes.row}>
              <TextInput
                label="Claim"
                aria-label={`Required claim ${i + 1}`}
                placeholder="hd"
                maxLength={255}
                {...form.getInputProps(`requiredClaims.${i}.claim`)}
              />
              <TextInput
                label="Value"
                aria-label={`Value of required claim ${i + 1}`}
                placeholder={placeholderOf(claim)}
                maxLength={255}
                {...form.getInputProps(`requiredClaims.${i}.value`)}
              />
              <span className={classes.buttons}>
                <RowButton
                  label={`Remove required claim ${i + 1}`}
                  color="red"
                  onClick={() => form.removeListItem('requiredClaims', i)}
                >
                  <IconTrash size={16} />
                </RowButton>
              </span>
            </li>
          ))}
        </ul>
        <div>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            disabled={requiredClaims.length >= MAX_ROWS}
            onClick={() => form.insertListItem('requiredClaims', { claim: '', value: '' })}
          >
            Require a claim
          </Button>
        </div>
      </Stack>
    </Fieldset>
  );
}
