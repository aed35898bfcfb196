-- Every entry of the head log is found by the name of its chain, so that a chain that was renamed is missed.
CREATE INDEX checkpoint_note_origin ON checkpoint (split_part(note, E'\n', 1));
