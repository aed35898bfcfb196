import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { type Brand, useShownBrand } from '../../ui/brand-store.ts';

const EntryBrand = graphql(`
  query EntryBrand($domain: String!) {
    whiteLabelConfig(domain: $domain) { brand { name tagline shades logo } }
  }
`);

/** The center whose custom domain the page was opened by, as the service says. */
const byAddress = () => document.querySelector<HTMLMetaElement>('meta[name="center"]')?.content;

/** The center of the entry page: the one named, the one in the redirect address, or that of the custom domain. */
export function centerOfEntry(center?: string, next?: string): string | undefined {
  const found = center ?? /^\/c\/([a-z0-9-]+)/.exec(next ?? '')?.[1] ?? byAddress();
  return found && /^[a-z0-9-]{1,63}$/.test(found) ? found : undefined;
}

/** Shows the brand of a center before sign-in. An unknown center has the look of the service. */
export function useEntryBrand(center: string | undefined): Brand | null {
  const read = useRead(EntryBrand, { domain: center ?? '' }, { pause: !center });
  const brand = (center && read.data?.whiteLabelConfig.brand) || null;
  useShownBrand(brand);
  return brand;
}
