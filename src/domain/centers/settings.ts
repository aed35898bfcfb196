import type { ActorRole } from '../../db/generated/prisma/enums.ts';
import { isTimeZone } from './slots.ts';

/** Settings that everybody in the center needs to read its calendar and its rules. */
const SEEN_BY_ALL = ['timezone', 'country', 'partnerCountry', 'region', 'guardianBooking'];

/** Who runs the center sees all its settings; who is served by it, or is no person, only those that concern all. */
export function visibleSettings(
  settings: Record<string, unknown>,
  role: ActorRole | null,
): Record<string, unknown> {
  if (role === 'ADMIN' || role === 'INSTRUCTOR') return settings;
  return Object.fromEntries(Object.entries(settings).filter(([key]) => SEEN_BY_ALL.includes(key)));
}

/** The zone in which the center's days begin and end; UTC where none is set. */
export function timeZoneOf(settings: Record<string, unknown>): string {
  const zone = settings['timezone'];
  return typeof zone === 'string' && isTimeZone(zone) ? zone : 'UTC';
}
