import { printable } from '@countersign/proof-kit/printable';
import type { MultiSelectProps } from '@mantine/core';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { SearchedMultiSelect, useSearchText } from '../../ui/searched-multi-select.tsx';

const UsableKeys = graphql(`
  query UsableKeys($search: String) {
    apiKeys(first: 20, search: $search, usable: true) {
      pageInfo { hasNextPage }
      edges { node { id name publicId } }
    }
  }
`);

interface KeySelectProps
  extends Pick<MultiSelectProps, 'description' | 'maxValues' | 'value' | 'error' | 'onChange' | 'onBlur'> {
  /** While its dialog is closed. */
  pause: boolean;
}

/** Selects keys that still work. Two keys can have the same name during a rotation. */
export function KeySelect({ pause, ...props }: KeySelectProps) {
  const search = useSearchText();
  const read = useRead(UsableKeys, { search: search.search }, { pause });
  const keys = read.data?.apiKeys;
  return (
    <SearchedMultiSelect
      {...props}
      label="API keys"
      required
      search={search}
      found={(keys?.edges ?? []).map(({ node: { id, name, publicId } }) => ({
        value: id,
        label: `${printable(name)} (${publicId})`,
      }))}
      isPartial={keys?.pageInfo.hasNextPage ?? false}
      loading={read.loading}
    />
  );
}
