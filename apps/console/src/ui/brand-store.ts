import type { MantineColorsTuple } from '@mantine/core';
import { useLayoutEffect, useSyncExternalStore } from 'react';

/** The parts of a brand that pages show. Null parts fall back to the service's own look. */
export interface Brand {
  name: string | null;
  tagline: string | null;
  shades: readonly string[] | null;
  /** A path on this service. */
  logo: string | null;
}

export const SERVICE_NAME = 'Countersign';

let current: Brand | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The brand of the whole console; null for that of the service. */
export const useBrand = (): Brand | null => useSyncExternalStore(subscribe, () => current);

/** Shows a brand from now on. */
export function useShownBrand(brand: Brand | null | undefined): void {
  useLayoutEffect(() => {
    current = brand ?? null;
    for (const listener of listeners) listener();
  }, [brand]);
}

/** Ten shades for the theme, or null. */
export function shadesOf(brand: Brand | null): MantineColorsTuple | null {
  const shades = brand?.shades;
  return shades?.length === 10 ? (shades as unknown as MantineColorsTuple) : null;
}
