import type { Bus, Message } from '../../db/bus.ts';

/** Where the audit entries of a center are announced; `ids` holds one or more, separated by commas. */
export const auditTopic = (centerId: number) => `audit:${centerId}`;

/** So many ids fit into one notification with room to spare. */
const IDS_A_MESSAGE = 100;

/** Only a hint for those who watch live: whoever misses it finds the entries in the list. */
export function announceAudit(bus: Bus, entries: { id: string; centerId: number | null }[]): void {
  for (const [centerId, ofCenter] of Map.groupBy(entries, (entry) => entry.centerId)) {
    if (centerId === null) continue;
    const ids = ofCenter.map(({ id }) => id);
    for (let at = 0; at < ids.length; at += IDS_A_MESSAGE) {
      const some = ids.slice(at, at + IDS_A_MESSAGE);
      bus.hint(auditTopic(centerId), { id: some[0]!, ids: some.join(',') });
    }
  }
}

export const announcedIds = ({ ids }: Message) => String(ids).split(',');
