import { createContext, useContext } from 'react';
import type { Session } from '../session/session.ts';

/** The part of the console: a center, the partner or the platform. */
export type Place = 'center' | 'partner' | 'platform' | 'nowhere';

export const PlaceContext = createContext<Place>('nowhere');
export const usePlace = () => useContext(PlaceContext);

/** For pages without a place: keep the current one. */
export function placeOf({ me }: Session): Place {
  if (me.centerId !== null) return 'center';
  if (me.partner) return 'partner';
  return me.platformAdmin ? 'platform' : 'nowhere';
}
