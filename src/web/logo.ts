import { html } from './html.ts';

/** The logo of the service, the same as in the console (`apps/console/src/ui/brand.tsx`, `apps/console/src/app/icon.svg`). */
export const logo = html`<svg class="seal" viewBox="0 0 32 32" aria-hidden="true" focusable="false"><rect width="32" height="32" rx="8" /><path d="M8.5 16.8l4.9 4.9 10-11.6" /></svg>`;
