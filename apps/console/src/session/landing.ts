import type { Session } from './session.ts';

/** Accepts addresses of this console only, so that a link in a mail cannot redirect to another site after sign-in. */
export function safeNext(next: string | undefined, origin = location.origin): string | null {
  if (!next?.startsWith('/')) return null;
  // Resolved as the browser will: it drops tabs and line breaks, and reads a backslash as a slash.
  const address = URL.canParse(next, origin) ? new URL(next, origin) : null;
  if (address?.origin !== origin || address.pathname.startsWith('/sign-in')) return null;
  return address.href;
}

/** The landing page that the service returned after sign-in. */
export function landingPath(landing: Session['me']['landing']): string {
  switch (landing.kind) {
    case 'ADMIN_DASHBOARD':
      return landing.centerDomain ? `/c/${landing.centerDomain}` : '/platform';
    case 'TENANT':
      return `/c/${landing.centerDomain}`;
    case 'PARTNER_DASHBOARD':
      return '/partner';
    case 'TENANT_PICKER':
      return '/centers';
    case 'WAITING':
      return '/waiting';
    case 'ONBOARDING':
      return '/welcome';
  }
}
