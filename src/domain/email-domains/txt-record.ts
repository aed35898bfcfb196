import { Resolver } from 'node:dns/promises';
import type { Infrastructure } from '../context.ts';

const TIMEOUT_MS = 5_000;

/** The owner of a domain publishes this record to prove that the domain is theirs. */
export const txtRecordOf = ({ domain, challenge }: { domain: string; challenge: string }) => ({
  txtName: `_countersign.${domain}`,
  txtValue: `countersign-verification=${challenge}`,
});

/**
 * Whether the record exists. `unknown`: the DNS servers gave no definite answer, which says nothing about the domain's owner.
 */
export type Lookup = 'found' | 'missing' | 'unknown';

/** The codes of answers without such a record. All others are failures of the network or of a server. */
const DEFINITE = new Set(['ENODATA', 'ENOTFOUND', 'EBADNAME']);

export async function lookUpRecord(
  { config }: Pick<Infrastructure, 'config'>,
  { txtName, txtValue }: ReturnType<typeof txtRecordOf>,
): Promise<Lookup> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  if (config.dnsServers) resolver.setServers(config.dnsServers);
  // The resolver asks one server after another, each with its own timeout.
  const timer = setTimeout(() => resolver.cancel(), TIMEOUT_MS);
  try {
    const records = await resolver.resolveTxt(txtName);
    // A long value is sent in several parts.
    return records.some((parts) => parts.join('').trim() === txtValue) ? 'found' : 'missing';
  } catch (error) {
    return DEFINITE.has((error as NodeJS.ErrnoException).code ?? '') ? 'missing' : 'unknown';
  } finally {
    clearTimeout(timer);
  }
}
