import { Select, type SelectProps } from '@mantine/core';
import { deviceZone } from '../text/time.ts';

/** A choice of all IANA time zones. Those of the field and of the device are offered even if the browser does not list them. */
export function ZoneSelect(props: Omit<SelectProps, 'data'>) {
  const { value } = props;
  const zones = ['UTC', value ?? 'UTC', deviceZone(), ...Intl.supportedValuesOf('timeZone')];
  return (
    <Select
      label="Time zone"
      searchable
      allowDeselect={false}
      limit={60}
      {...props}
      data={[...new Set(zones)]}
    />
  );
}
