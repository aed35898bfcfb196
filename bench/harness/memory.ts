import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Memory {
  /** The resident memory of the process in MiB. */
  now: number;
  /** The peak resident memory. */
  peak: number;
}

/** The memory of a process. If the system records no peak, it is the current value. */
export function memoryOf(pid: number): Memory {
  if (process.platform !== 'linux') {
    const now = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024;
    return { now, peak: now };
  }
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)![1]) / 1_024;
  return { now: of('VmRSS'), peak: of('VmHWM') };
}

const EVERY_MS = 200;

/** The peak memory of a process, from its start to the end of the work. */
export async function peakDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  let most = memoryOf(pid).peak;
  const look = () => {
    most = Math.max(most, memoryOf(pid).peak);
  };
  const timer = setInterval(look, EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  look();
  return most;
}
