-- Who confirmed an erasure that needs two people: the id, and the salt of its digest on the journal.
ALTER TABLE journal_by
  ADD COLUMN confirmed_by text,
  ADD COLUMN confirmed_salt text;
