import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useState } from 'react';
import { deviceZone, type Times, timesIn } from '../text/time.ts';

/** The time zone of the current place: that of the center, elsewhere that of the device. */
export const PlaceZone = createContext<string | null>(null);

interface ScreenZone {
  zone: string;
  /** Reports that the screen shows times. */
  announce: () => void;
}

const ScreenZoneContext = createContext<ScreenZone | null>(null);

/** Gives everything on a screen the same zone. `shown` says whether the screen shows times and has to name it. */
export function useScreenZone(own?: string): {
  shown: string | null;
  wrap: (content: ReactNode) => ReactNode;
} {
  const ofPlace = useContext(PlaceZone);
  const zone = own ?? ofPlace ?? deviceZone();
  const [used, setUsed] = useState(false);
  const value = useMemo(() => ({ zone, announce: () => setUsed(true) }), [zone]);
  return {
    shown: used ? zone : null,
    wrap: (content) => <ScreenZoneContext value={value}>{content}</ScreenZoneContext>,
  };
}

/** Times in the zone of the screen, which names it once. */
export function useTimes(): Times {
  const screen = useContext(ScreenZoneContext);
  const ofPlace = useContext(PlaceZone);
  const announce = screen?.announce;
  useLayoutEffect(() => announce?.(), [announce]);
  return timesIn(screen?.zone ?? ofPlace ?? deviceZone());
}
