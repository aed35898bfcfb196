import { type JournalEntryView, journalOf, listJournal } from '../../domain/ledger/chains/read-journal.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { byNumber, connectionOf } from '../connections.ts';
import { onlyProperties } from '../exposed.ts';
import { DecisionEvent } from '../proof/decision-event.ts';

const readers = { roles: ['ADMIN'] } as const;

const JournalEntry = builder.objectRef<JournalEntryView>('JournalEntry').implement({
  description:
    "An entry of the center's journal, the hash chain of recordings, approvals, outcomes and erasures.",
  fields: onlyProperties({
    index: ['Int', 'The index on the journal, from 0.'],
    kind: ['String', 'The kind of entry: recorded, approved, rejected, outcome, erased, policy, dpu or key.'],
    content: ['String', 'The exact text that is hashed, in canonical JSON.'],
    hash: ['String', 'The hash of its record, in hex.'],
    at: ['DateTime', 'When the entry was written, in UTC.'],
  }),
});

builder.queryField('journal', (t) =>
  t.connection({
    type: JournalEntry,
    description: 'The journal of the center, newest first.',
    extensions: { fromReplica: true },
    authScopes: { access: readers },
    resolve: (_, args, ctx) =>
      connectionOf({
        args,
        ...byNumber('journal', ({ index }: { index: number }) => index),
        load: (window) => listJournal(ctx, window),
      }),
  }),
);

const entriesOf = makeLoader(journalOf);

builder.objectField(DecisionEvent, 'journal', (t) =>
  t.field({
    type: [JournalEntry],
    description: 'Its journal entries, oldest first.',
    authScopes: { access: readers },
    resolve: async ({ id }, _, ctx) => (await entriesOf(ctx, id)) ?? [],
  }),
);
