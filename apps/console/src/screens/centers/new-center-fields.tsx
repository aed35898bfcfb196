import { Select, TextInput } from '@mantine/core';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { tenantHints, tenantLabels, verticalLabels } from '../../text/labels.ts';
import { deviceZone } from '../../text/time.ts';
import { choicesOf } from '../../ui/filters.tsx';
import { filled, isEmail, type useActionForm } from '../../ui/form-dialog.tsx';
import { ZoneSelect } from '../../ui/zone-select.tsx';
import type { CreateCenter } from './managed-center.ts';

type Draft = VariablesOf<typeof CreateCenter>['input'];

/** The values of a center that a partner or the platform creates, and invites an administrator for. */
export const newCenter = () => ({
  name: '',
  tenantType: 'CENTER',
  vertical: '',
  timezone: deviceZone(),
  adminEmail: '',
});

type Values = ReturnType<typeof newCenter>;

export const newCenterFaults = {
  name: (value: string) => (value.trim().length < 2 ? 'Enter a name.' : null),
  vertical: filled('Choose a vertical.'),
  adminEmail: isEmail,
};

export const newCenterInput = ({ name, tenantType, vertical, timezone, adminEmail }: Values) => ({
  name: name.trim(),
  adminEmail: adminEmail.trim(),
  timezone,
  tenantType: tenantType as Draft['tenantType'],
  vertical: vertical as Draft['vertical'],
});

interface NewCenterFieldsProps {
  /** Of the values above. */
  field: ReturnType<typeof useActionForm>['field'];
  tenantType: string;
  /** Who approves the administrator, as the subject of a sentence. */
  approver: string;
}

/** What every new center needs besides its name. */
export function NewCenterFields({ field, tenantType, approver }: NewCenterFieldsProps) {
  return (
    <>
      <Select label="Vertical" placeholder="Choose" data={choicesOf(verticalLabels)} {...field('vertical')} />
      <Select
        label="Kind"
        allowDeselect={false}
        description={tenantHints[tenantType]}
        data={Object.keys(tenantHints).map((value) => ({ value, label: tenantLabels[value]! }))}
        {...field('tenantType')}
      />
      <ZoneSelect
        description="Days, schedules and times of the center follow it. Yours is preselected."
        {...field('timezone')}
      />
      <TextInput
        label="Email of its administrator"
        description={`They get an email with a link. After they accept, ${approver}, and they can run the center.`}
        {...field('adminEmail')}
      />
    </>
  );
}
