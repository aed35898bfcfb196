import { z } from 'zod';
import type { ActorRole } from '../../db/generated/prisma/enums.ts';
import { isTimeZone } from './slots.ts';

/** Settings that every member needs to read the center's calendar and rules. */
const SEEN_BY_ALL = ['timezone', 'country', 'partnerCountry', 'region', 'guardianBooking'];

export const timeZoneField = z.string().refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin');

/** Those who run the center see all its settings. Others, and callers that are not people, see only the common ones. */
export function visibleSettings(
  settings: Record<string, unknown>,
  role: ActorRole | null,
): Record<string, unknown> {
  if (role === 'ADMIN' || role === 'INSTRUCTOR') return settings;
  return Object.fromEntries(Object.entries(settings).filter(([key]) => SEEN_BY_ALL.includes(key)));
}

/** The center's time zone, which defines its days; UTC if none is set. */
export function timeZoneOf(settings: Record<string, unknown>): string {
  const zone = settings['timezone'];
  return typeof zone === 'string' && isTimeZone(zone) ? zone : 'UTC';
}
