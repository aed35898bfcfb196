import type { Sample } from './trend.ts';

export interface Soaked {
  process: string;
  samples: Sample[];
  slopeMiBPerMinute: number;
  steady: boolean;
}

export interface SoakResult {
  measuredAt: string;
  minutes: number;
  callsPerSecond: number;
  deliveries: number;
  warmupMinutes: number;
  mostMiBPerMinute: number;
  processes: Soaked[];
}
