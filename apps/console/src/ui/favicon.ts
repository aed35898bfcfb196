// The icon of the tab, in the brand of the center.
import type { Brand } from './brand-store.ts';

const seal = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${color}"/><path d="M8.5 16.8l4.9 4.9 10-11.6" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** The brand's logo, or the seal in its main color; null for the icon of the service. */
function iconOf(brand: Brand | null): string | null {
  if (brand?.logo) return brand.logo;
  const color = brand?.shades?.[7];
  return color ? `data:image/svg+xml,${encodeURIComponent(seal(color))}` : null;
}

let original: string | undefined;

export function showFavicon(brand: Brand | null): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (!link) return;
  original ??= link.href;
  const icon = iconOf(brand);
  link.href = icon ?? original;
  // The logo can be of another image type.
  if (icon === null) link.type = 'image/svg+xml';
  else link.removeAttribute('type');
}
