/** Checks erased members against the journal: what was erased, by whom and why. */
import { parseOrigin } from './checkpoint.ts';
import { authorForm } from './decision.ts';
import { defined, firstDifference } from './difference.ts';
import { id, listOf, nullable, objectOf, oneOf, text } from './form.ts';
import type { AttachedRecord, Erased, ProofDocument } from './proof-document.ts';
import { DisclosureSet, open, Refutation, readContent } from './sealed-content.ts';
import type { LogCheck } from './verify-log.ts';

const MAX_FIELDS = 100;

const erasureForm = objectOf({
  kind: oneOf('erased'),
  'eventId?': id,
  'dpuId?': id,
  fields: listOf(text, MAX_FIELDS),
  reason: nullable(text),
  'by?': authorForm,
  'confirmedBy?': authorForm,
  '_sd_alg?': oneOf('sha-256'),
});

/** `subject` is the object that was erased from; `center` is that of its chain, or null if the document does not state it. */
export async function checkErased(
  { erased = [] }: ProofDocument,
  subject: { eventId: string } | { dpuId: string },
  { service, center, log }: { service: string; center: number | null; log: LogCheck },
): Promise<void> {
  for (const [i, entry] of erased.entries()) {
    const { journal } = entry;
    if (journal === undefined) {
      log.missing.push(`erased[${i}].journal`);
      continue;
    }
    const place = `erased[${i}].journal`;
    checkEntry(entry, journal, subject, i);
    await log.attached(place, journal, (origin) => {
      const parts = parseOrigin(origin);
      const isCenter = center === null ? parts?.chain?.center !== 0 : parts?.chain?.center === center;
      return parts?.service === service && parts.chain?.domain === 'journal' && isCenter;
    });
  }
}

function checkEntry(
  { path, at, reason, by, confirmedBy }: Erased,
  { record, disclosures }: AttachedRecord,
  subject: { eventId: string } | { dpuId: string },
  i: number,
): void {
  const place = `erased[${i}].journal`;
  const content = readContent(record.content, `${place}.record.content`, 'erasure', erasureForm);
  const set = new DisclosureSet(disclosures, `${place}.disclosures`);
  const authorOf = (name: 'by' | 'confirmedBy') => {
    const sealed = content[name];
    const { shown } = open(
      sealed ?? {},
      [{ name: 'id', form: id, presence: 'maybe' }],
      `erased.${name}.`,
      set,
    );
    return sealed && { kind: sealed.kind, ...shown };
  };
  const authors = { by: authorOf('by'), confirmedBy: authorOf('confirmedBy') };
  set.requireAllUsed();
  const { eventId, dpuId, fields } = content;
  const named = firstDifference(defined({ eventId, dpuId }), subject, '');
  if (named !== null || !fields.includes(path)) throw new Refutation(`${place} is about something else`);
  const found = firstDifference(
    defined({ at, reason, by, confirmedBy }),
    defined({ at: record.timestamp, reason: content.reason, ...authors }),
    `erased[${i}]`,
  );
  if (found !== null) throw new Refutation(found);
}
